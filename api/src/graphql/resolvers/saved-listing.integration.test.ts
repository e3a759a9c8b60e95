import { beforeEach, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { insertMatches, storeCars } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';

let ana: Browser;
let anaId: number;
let ben: Browser;
let alertId: number;
let listingIds: number[];

const api = setUpApi({}, async () => {
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
