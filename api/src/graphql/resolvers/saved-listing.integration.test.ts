import { beforeEach, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { onServerOf } from '../../../test/everywhere.ts';
import { insertMatches, storeCars } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { disableOldTriggers } from '../../../test/schema/triggers.ts';

let ana: Browser;
let anaId: number;
let ben: Browser;
let alertId: number;
let listingIds: number[];

const api = setUpApi({}, async () => {
  await disableOldTriggers(api.db.pool);
  ({ browser: ana, id: anaId } = await api.user('ana'));
  ({ browser: ben } = await api.user('ben'));
  alertId = await ana.createAlert();
  listingIds = await storeCars(api.db.pool, [{}, {}, {}]);
  await insertMatches(api.db.pool, alertId, listingIds);
});
beforeEach(() => api.db.pool.query('truncate saved_listings restart identity'));

const save = (browser: Browser, id: number | string | undefined, saved = true) =>
  browser.gql('mutation ($id: ID!, $saved: Boolean!) { saveListing(id: $id, saved: $saved) { id saved } }', {
    id: String(id),
    saved,
  });
const page = async (browser: Browser, variables: Record<string, unknown> = {}) =>
  (
    await browser.gql(
      'query ($first: Int, $after: ID) { savedListings(first: $first, after: $after) { nodes { id savedAt listing { id saved status } } endCursor hasMore } }',
      variables,
    )
  ).data.savedListings;
const idsOf = (saved: { nodes: { listing: { id: string } | null }[] }) => saved.nodes.map(({ listing }) => listing?.id);

it('saves a car once, and removes it again', async () => {
  const [id] = listingIds;
  expect((await save(ana, id)).data.saveListing).toEqual({ id: String(id), saved: true });
  await save(ana, id);
  const { nodes } = await page(ana);
  expect(nodes).toEqual([
    { id: '1', savedAt: expect.stringContaining('T'), listing: { id: String(id), saved: true, status: 'for_sale' } },
  ]);
  expect((await save(ana, id, false)).data.saveListing).toEqual({ id: String(id), saved: false });
  expect((await save(ana, id, false)).data.saveListing).toMatchObject({ saved: false });
  expect((await page(ana)).nodes).toEqual([]);
});

it('reads all saved cars page by page, those that were saved last first', async () => {
  for (const id of listingIds) await save(ana, id);
  const first = await page(ana, { first: 2 });
  expect(first).toMatchObject({ hasMore: true });
  const second = await page(ana, { first: 2, after: first.endCursor });
  expect(second).toMatchObject({ hasMore: false });
  expect([...idsOf(first), ...idsOf(second)]).toEqual(listingIds.toReversed().map(String));
});

it('shows nobody the saved cars of others', async () => {
  await save(ana, listingIds[0]);
  expect(await page(ben)).toEqual({ nodes: [], endCursor: null, hasMore: false });
  const { errors } = await makeBrowser(api.url).gql('{ savedListings { hasMore } }');
  expect(errors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
});

it.each([
  ["another user's match", () => save(ben, listingIds[0])],
  ['a missing one', () => save(ana, 999_999)],
  ['no number', () => save(ana, 'x')],
])('does not save %s', async (_what, call) => {
  const { errors } = await call();
  expect(errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
  expect(await api.db.rows('select from saved_listings')).toEqual([]);
});

it('keeps a car that matches no alert any more, until it is removed', async () => {
  const [id] = listingIds;
  await save(ana, id);
  await api.db.pool.query('update matches set alert_version = 0 where listing_id = $1', [id]);
  expect(idsOf(await page(ana))).toEqual([String(id)]);
  expect((await save(ana, id, false)).data.saveListing).toMatchObject({ saved: false });
  // A day long it can be saved again, and then not any more.
  expect(idsOf(await page(ana))).toEqual([]);
  expect((await save(ana, id)).data.saveListing).toMatchObject({ saved: true });
  expect(idsOf(await page(ana))).toEqual([String(id)]);
  await save(ana, id, false);
  expect((await save(ben, id)).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
  await api.db.pool.query("update saved_listings set removed_at = now() - interval '25 hours'");
  expect((await save(ana, id)).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
  await api.db.pool.query('update matches set alert_version = 1 where listing_id = $1', [id]);
});

/** As if newer matches had replaced a match, of which the alert told two days ago or never. */
async function leaveOut(listingId: number, isTold = true): Promise<void> {
  const pair = [alertId, listingId];
  await api.db.pool.query('delete from matches where alert_id = $1 and listing_id = $2', pair);
  await api.db.pool.query('update alerts set is_capped = true where id = $1', [alertId]);
  await api.db.pool.query('delete from notifications where alert_id = $1 and listing_id = $2', pair);
  if (!isTold) return;
  await api.db.pool.query(
    `insert into notifications (user_id, alert_id, listing_id, price, status, due_at, created_at)
     values ($1, $2, $3, 12345, 'sent', now(), now() - interval '2 days')`,
    [anaId, ...pair],
  );
}
const setPrice = (listingId: number, price: number) =>
  api.db.pool.query("update listings set status = 'for_sale', price = $2 where id = $1", [listingId, price]);

it('saves a car whose match newer ones have replaced, where the alert told of it and it fits, as its oldest match', async () => {
  const [id = 0, other = 0] = listingIds;
  const refusal = async () => (await save(ana, id)).errors[0]?.extensions?.code;
  await leaveOut(id, false);
  expect(await refusal()).toBe('NOT_FOUND');
  await leaveOut(id);
  await api.db.pool.query('update alerts set price_max = 500000 where id = $1', [alertId]);
  await setPrice(id, 500_001);
  expect(await refusal()).toBe('NOT_FOUND');
  await setPrice(id, 12_000);
  expect((await save(ben, id)).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
  expect((await save(ana, id)).data.saveListing).toEqual({ id: String(id), saved: true });
  const pairs = await api.db.rows(
    `select m.listing_id as id, m.alert_version = a.version as "isShown", m.price, m.announced, m.matched_at < now() - interval '1 day' as "isOld",
            m.position = min(m.position) over () as "isOldest"
       from matches m join alerts a on a.id = m.alert_id and a.user_id = m.user_id where a.id = $1 order by m.listing_id`,
    [alertId],
  );
  expect(pairs.find((pair) => pair.id === id)).toEqual({
    id,
    isShown: true,
    price: 12_345,
    announced: true,
    isOld: true,
    isOldest: true,
  });
  expect(pairs.map((pair) => pair.id)).toContain(other);
  expect(await api.db.rows('select alert_id as id, user_id as owner from alerts_to_trim')).toContainEqual({
    id: alertId,
    owner: anaId,
  });
});

it('saves such a car after who has locked it, and locks no alert before, as links of cars lock both in this order', async () => {
  const [id = 0] = listingIds;
  const { pool } = api.db;
  await leaveOut(id);
  await setPrice(id, 12_000);
  const linking = await pool.connect();
  try {
    await linking.query('begin');
    await onServerOf(linking, anaId, 'select from listings where id = $1 for update', [id]);
    const saved = save(ana, id);
    await expect.poll(() => api.db.lockWaits()).toBe(1);
    await onServerOf(linking, anaId, 'select from alerts where id = $1 for no key update nowait', [alertId]);
    await linking.query('commit');
    expect((await saved).data.saveListing).toEqual({ id: String(id), saved: true });
  } finally {
    await linking.query('rollback');
    linking.release();
  }
});

it('saves at most 500 cars, however many calls come at once', async () => {
  await api.db.pool.query(
    'insert into saved_listings (user_id, listing_id) select $1, 1000000 + n from generate_series(1, 499) n',
    [anaId],
  );
  const answers = await Promise.all(listingIds.map((id) => save(ana, id)));
  const refused = answers.flatMap(({ errors }) => errors);
  expect(refused).toHaveLength(2);
  expect(refused[0]?.extensions).toMatchObject({ code: 'VALIDATION', fields: { saved: expect.any(String) } });
  expect(await api.db.rows('select from saved_listings')).toHaveLength(500);
});

it.each([{ first: 0 }, { first: 101 }, { after: "1' or true" }])('refuses the page %o', async (variables) => {
  const { errors } = await ana.gql(
    'query ($first: Int, $after: ID) { savedListings(first: $first, after: $after) { hasMore } }',
    variables,
  );
  expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION' });
});
