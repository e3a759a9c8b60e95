import { OnlineMigration } from './online-migration.ts';

/** SQL: what is shown of where a listing is, a point of a grid. */
const shown = (axis: 'x' | 'y' | 'z'): string => `floor(l.${axis} * 65536 + 0.5) / 65536`;

/** SQL: what `matching/match-rules.ts` stores for a pair of `a` (alerts) and `l` (listings). */
const miles = `
  least(floor(2 * 3958.7613 * asin(least(1, sqrt(
    power(cos(radians(a.lat)) * cos(radians(a.lng)) - ${shown('x')}, 2)
    + power(cos(radians(a.lat)) * sin(radians(a.lng)) - ${shown('y')}, 2)
    + power(sin(radians(a.lat)) - ${shown('z')}, 2)) / 2)) * 10 + 0.5) / 10, a.radius)::float4`;

/** SQL: the pairs of some listings whose distance is not rounded. Those that no longer fit may have one of a former place. */
const exactPairs = `
  from matches m join listings l on l.id = m.listing_id join alerts a on a.id = m.alert_id
  where m.listing_id = any (ids) and l.x is not null and m.distance_miles <> ${miles}`;

/**
 * The distances of stored matches are to a rounded point of the listing, as those of new ones are. A transaction has the
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
