import { expect, it } from 'vitest';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { changeAlerts } from '../../test/matching/change-alerts.ts';
import { insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { makeWorld, oraclePairs } from '../../test/matching/match-world.ts';
import { purge } from '../../test/until-done.ts';
import { deleteAlert } from '../alerts/delete-alert.ts';
import { updateAlert } from '../alerts/update-alert.ts';
import { matchPendingListings } from './match-listings.ts';

const ALERTS = 300;
const LISTINGS_A_ROUND = 150;
const world = makeWorld(77);
const alerts = Array.from({ length: ALERTS }, () => world.alert());
const deps = {
  gazetteer: { resolve: () => null, named: () => null, suggest: () => [] },
  now: new Date(),
  hasTexts: true,
};

interface AlertNow {
  announces: boolean;
  watches: boolean;
}

let userIds: number[];
let alertIds: number[];
const now: AlertNow[] = alerts.map(() => ({ announces: true, watches: true }));

const db = setUpDatabase(async () => {
  userIds = await insertUsers(db.pool, 4);
  alertIds = [];
  for (const [at, userId] of userIds.entries()) {
    const part = ALERTS / userIds.length;
    alertIds.push(...(await insertAlerts(db.pool, userId, alerts.slice(at * part, (at + 1) * part))));
  }
  await db.pool.query('update plans set alert_limit = 1000');
  await db.pool.query("update alerts set location = 'there', place = 'there'");
});

const ownerOf = (at: number) => ({ id: userIds[Math.floor((at * userIds.length) / ALERTS)] ?? 0 });

/** Changes alerts by the verbs, and by SQL like an operator, who has to change their cells as well on a cluster. */
async function change(at: number, kind: number): Promise<void> {
  const em = db.orm.em.fork();
  const [id, state] = [alertIds[at] ?? 0, now[at]];
  if (!state) return;
  const patch = (fields: object) => updateAlert(em, deps, ownerOf(at), id, fields);
  const set = async (fields: string) => {
    if (onCluster) await changeAlerts(db, fields, { where: 'id = $1', values: [id] });
    else await db.pool.query(`update alerts set ${fields} where id = $1`, [id]);
  };
  if (kind === 0) await patch({ emailNotifications: !state.announces });
  if (kind === 1) await set('email_notifications = not email_notifications');
  if (kind < 2) state.announces = !state.announces;
  if (kind === 2) await patch({ isActive: false });
  if (kind === 3) await set("expires_at = now() - interval '1 second'");
  // Nothing is announced by push while an alert is active, so that a pair has one notification at most.
  if (kind === 4) await set('is_active = false, push_notifications = true');
  if (kind === 5 || (kind === 6 && onCluster)) await deleteAlert(em, ownerOf(at), id);
  else if (kind === 6) await db.pool.query('delete from alerts where id = $1', [id]);
  if (kind === 7) await set("is_active = true, push_notifications = false, expires_at = now() + interval '1 day'");
  if (kind >= 2) state.watches = kind === 7;
}

async function pairsOf(listingIds: readonly number[]) {
  return db.rows(
    `select m.listing_id || ':' || m.alert_id as pair, m.announced, n.user_id as owner
       from matches m left join notifications n on n.listing_id = m.listing_id and n.alert_id = m.alert_id and n.user_id = m.user_id
      where m.listing_id = any($1::int8[]) order by 1`,
    [listingIds],
  );
}

it('matches and announces by the current state of each alert, whoever changed it', async () => {
  const gone = new Set<number>();
  let [found, silent] = [0, 0];
  for (let round = 0; round < 8; round += 1) {
    const listings = Array.from({ length: LISTINGS_A_ROUND }, () => world.listing(alerts));
    const listingIds = await insertListings(db.pool, listings);
    while ((await matchPendingListings(db.pool)) > 0);
    const expected = [...oraclePairs(alerts, listings)]
      .map((pair) => pair.split(':').map(Number))
      .flatMap(([l = 0, a = 0]) => {
        const { announces, watches } = now[a] ?? { announces: false, watches: false };
        const owner = announces ? ownerOf(a).id : null;
        return watches ? [{ pair: `${listingIds[l]}:${alertIds[a]}`, announced: announces, owner }] : [];
      })
      .toSorted((a, b) => (a.pair < b.pair ? -1 : 1));
    expect(await pairsOf(listingIds)).toEqual(expected);
    found += expected.length;
    silent += expected.filter(({ announced }) => !announced).length;
    for (let n = 0; n < 30; n += 1) {
      const at = (round * 30 + n * 7) % ALERTS;
      const kind = gone.has(at) ? -1 : (round + n) % 8;
      // The verbs remove the cells of an inactive alert, and only they write them again.
      if (kind === 0 && now[at]?.watches === false) continue;
      if (kind >= 0) await change(at, kind);
      if (kind === 2 || kind === 5 || kind === 6) gone.add(at);
    }
  }
  expect(found).toBeGreaterThan(600);
  expect(silent).toBeGreaterThan(50);
  const rows = await db.rows(
    `select from alert_cells c left join alerts a on a.id = c.alert_id and a.user_id = c.user_id
      where a.id is null or (c.announces, c.texts, c.pushes, c.user_id, c.alert_version)
                            is distinct from (a.email_notifications, a.text_notifications, a.push_notifications, a.user_id, a.version)`,
  );
  expect(rows).toEqual([]);
}, 60_000);

// A trigger for the version before writes it here, which a cluster does not have.
it.skipIf(onCluster)('keeps the throttle of recently mailed alerts, and deletes it afterwards', async () => {
  const [one = 0, other = 0] = alertIds;
  const paces = () => db.rows('select alert_id as id from alert_throttles order by 1');
  const owners = 'select from alert_throttles t join alerts a on a.id = t.alert_id and a.user_id = t.user_id';
  await db.pool.query('update alerts set last_mailed_at = now() where id = any($1::int8[])', [[one, other]]);
  expect(await paces()).toEqual([{ id: one }, { id: other }]);
  expect(await db.rows(owners)).toHaveLength(2);
  await db.pool.query("update alerts set last_mailed_at = now() - interval '6 minutes' where id = $1", [one]);
  expect(await purge(db.pool, 'alert-throttles')).toMatchObject({ removed: 1 });
  expect(await paces()).toEqual([{ id: other }]);
  await db.pool.query('update alerts set last_mailed_at = null where id = $1', [other]);
  expect(await paces()).toEqual([]);
});
