import { beforeEach, expect, it } from 'vitest';
import type { Browser } from '../../../test/browser.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { insertNewerMatches, insertSeenCars } from '../../../test/matching/many-matches.ts';
import { MATCHES_KEPT } from '../../domain/match-cap.ts';

let ana: Browser;
let alertId: number;
let others = 0;

const api = setUpApi();
beforeEach(async () => {
  others += 1;
  ({ browser: ana } = await api.user(`ana${others}`));
  await api.db.pool.query('update users set plan_id = 4');
  alertId = await ana.createAlert();
});

const count = async () =>
  (await ana.gql('query ($id: ID!) { alert(id: $id) { matchCount } }', { id: alertId })).data.alert.matchCount;

it.each([
  [MATCHES_KEPT - 1, false, 999],
  [MATCHES_KEPT, false, 1_000],
  [MATCHES_KEPT + 70, false, 1_001],
  [MATCHES_KEPT, true, 1_001],
  [MATCHES_KEPT - 1, true, 999],
])('the count of %i matches, left out: %s, is %i', async (matches, isCapped, shown) => {
  await insertNewerMatches(api.db, alertId, matches);
  await api.db.pool.query('update alerts set is_capped = $2 where id = $1', [alertId, isCapped]);
  expect(await count()).toBe(shown);
  const answer = await ana.fetch(`/api/alerts/${alertId}`);
  expect(await answer.json()).toMatchObject({ matchCount: shown });
});

it('hidden matches are not counted', async () => {
  const ids = await insertNewerMatches(api.db, alertId, MATCHES_KEPT + 70);
  await api.db.pool.query('update matches set alert_version = 0 where listing_id = any ($1)', [ids.slice(100)]);
  expect(await count()).toBe(100);
});

it('counts of new cars stop where counts of matches do, also those of all alerts', async () => {
  const second = await ana.createAlert({ model: 'corolla' });
  const cars = await insertSeenCars(api.db, 2_100);
  await api.db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
     select l.id, a.id, a.user_id, 1, 0, true from unnest($1::int8[]) with ordinality l (id, n)
       join alerts a on a.id = case when l.n <= 1050 then $2::int8 else $3 end`,
    [cars, alertId, second],
  );
  await api.db.pool.query('update listings set seen_at = now(), car_id = null; update alerts set version = 1');
  const { data } = await ana.gql('{ me { newCount } alerts { newCount } }');
  expect(data).toEqual({ me: { newCount: 1_001 }, alerts: [{ newCount: 1_001 }, { newCount: 1_001 }] });
});
