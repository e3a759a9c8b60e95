import { OnlineMigration } from './online-migration.ts';

/** SQL: what `matching/match-rules.ts` stores for a pair of `a` (alerts) and `l` (listings). */
const lat = 'radians(floor(l.lat * 100 + 0.5) / 100)';
const miles = `
  least(floor(3958.7613 * acos(greatest(-1, least(1,
    cos(radians(a.lat)) * cos(${lat}) * cos(radians(floor(l.lng * 100 + 0.5) / 100 - a.lng))
    + sin(radians(a.lat)) * sin(${lat})))) * 10 + 0.5) / 10, a.radius)::float4`;

/** SQL: the pairs of some listings whose distance is not rounded. Those that no longer fit may have one of a former place. */
const exactPairs = `
  from matches m join listings l on l.id = m.listing_id join alerts a on a.id = m.alert_id
  where m.listing_id = any (ids) and l.lat is not null and l.lng is not null and m.distance_miles <> ${miles}`;

/**
 * The distances of stored matches are to the rounded point of the listing, as those of new ones are. A transaction has the
 * matches of fifty listings, and none waits for a match that others write.
 */
export class Migration070RoundedDistances extends OnlineMigration {
  override up(): void {
    this.addSql(/* sql */ `
      do $$
      declare
        last int8 := 0;
        ids int8[];
      begin
        loop
          select array_agg(id), max(id) into ids, last
            from (select id from listings where id > last order by id limit 50) next_listings;
          exit when ids is null;
          loop
            with held as materialized (
              select m.listing_id, m.alert_id, ${miles} as miles ${exactPairs} for no key update of m skip locked)
            update matches m set distance_miles = h.miles
              from held h where m.listing_id = h.listing_id and m.alert_id = h.alert_id;
            commit;
            exit when not exists (select ${exactPairs});
            perform pg_sleep(0.1);
          end loop;
        end loop;
      end $$;
    `);
  }

  /** The exact ones are not needed. */
  override down(): void {}
}
