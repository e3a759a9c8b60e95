import { beforeEach, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { insertMatches, storeCars } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';

let ana: Browser;
let anaId: number;
let ben: Browser;
let first: number;
let relist: number;
let other: number;

const api = setUpApi({}, async () => {
  ({ browser: ana, id: anaId } = await api.user('ana'));
  ({ browser: ben } = await api.user('ben'));
  const alertId = await ana.createAlert();
  [first = 0, relist = 0, other = 0] = await storeCars(api.db.pool, [{}, {}, {}]);
  await insertMatches(api.db.pool, alertId, [first, relist, other]);
  await insertMatches(api.db.pool, await ben.createAlert(), [first]);
});
beforeEach(async () => {
  await api.db.pool.query('truncate listing_notes, saved_listings');
  await api.db.pool.query('update listings set car_id = case when id in ($1, $2) then $1::int8 end', [first, relist]);
  await api.db.pool.query('update matches set alert_version = 1');
});

const write = (browser: Browser, id: number | string, note?: string | null) =>
  browser.gql('mutation ($id: ID!, $note: String) { noteOnListing(id: $id, note: $note) { id note } }', {
    id: String(id),
    note,
  });
const noteOf = async (browser: Browser, id: number) =>
  (await browser.gql('query ($id: ID!) { listing(id: $id) { note } }', { id: String(id) })).data.listing?.note;
const stored = () => api.db.rows('select user_id, listing_id, note from listing_notes order by listing_id');

it('notes about a car, under all its listings, for its writer alone', async () => {
  const { data } = await write(ana, first, '  Ask about the tires\r\nand the belt ');
  expect(data.noteOnListing).toEqual({ id: String(first), note: 'Ask about the tires\nand the belt' });
  expect(await noteOf(ana, relist)).toBe('Ask about the tires\nand the belt');
  expect(await noteOf(ana, other)).toBeNull();
  expect(await noteOf(ben, first)).toBeNull();
  await write(ben, first, 'Mine');
  expect(await noteOf(ana, first)).toBe('Ask about the tires\nand the belt');
  const notes = async () =>
    (await ana.gql('{ matches { nodes { listing { id note } } } }')).data.matches.nodes.map(
      ({ listing }: { listing: { note: string | null } }) => listing.note,
    );
  // A page ends before the oldest open transaction, also that of another test.
  const ofCar = 'Ask about the tires\nand the belt';
  await expect.poll(notes).toEqual([null, ofCar, ofCar]);
});

it.each([undefined, null, '', ' \n '])(
  'removes a note that was written under another listing, for %j',
  async (none) => {
    await write(ana, first, 'Rust');
    await write(ana, relist, 'No rust');
    expect(await stored()).toEqual([{ user_id: anaId, listing_id: relist, note: 'No rust' }]);
    expect(await noteOf(ana, first)).toBe('No rust');
    expect((await write(ana, first, none)).data.noteOnListing).toEqual({ id: String(first), note: null });
    expect(await stored()).toEqual([]);
  },
);

it('shows the later note where two cars turn out to be one', async () => {
  await write(ana, other, 'Later');
  await write(ana, first, 'Earlier');
  await api.db.pool.query("update listing_notes set updated_at = now() - interval '1 hour' where note = 'Earlier'");
  await api.db.pool.query('update listings set car_id = $1', [first]);
  expect(await noteOf(ana, first)).toBe('Later');
  await write(ana, first, 'Both');
  expect(await stored()).toEqual([{ user_id: anaId, listing_id: first, note: 'Both' }]);
});

it.each([
  ["another user's match", () => write(ben, other, 'x')],
  ['a missing one', () => write(ana, 999_999, 'x')],
  ['no number', () => write(ana, 'x', 'x')],
])('does not note about %s', async (_what, call) => {
  expect((await call()).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
  expect(await stored()).toEqual([]);
});

it('is for signed-in users', async () => {
  const { errors } = await write(makeBrowser(api.url), first, 'x');
  expect(errors[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
});

it('can be changed where no alert shows the car any more, while it is saved or has a note', async () => {
  await ana.gql('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id: String(other) });
  await write(ana, first, 'Seen on Sunday');
  await api.db.pool.query('update matches set alert_version = 0');
  expect((await write(ana, other, 'Saved')).data.noteOnListing.note).toBe('Saved');
  expect((await write(ana, relist, 'Seen on Monday')).data.noteOnListing.note).toBe('Seen on Monday');
  await write(ana, relist, '');
  expect((await write(ana, relist, 'x')).errors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
});

it('takes 1,000 characters and refuses more', async () => {
  expect((await write(ana, first, `${'n'.repeat(1000)}\n`)).data.noteOnListing.note).toHaveLength(1000);
  const { errors } = await write(ana, first, 'n'.repeat(1001));
  expect(errors[0]?.extensions).toMatchObject({
    code: 'VALIDATION',
    fields: { note: 'Note can have at most 1,000 characters' },
  });
  expect(await noteOf(ana, first)).toHaveLength(1000);
});

it('keeps notes about at most 500 cars, however many calls come at once', async () => {
  await api.db.pool.query(
    "insert into listing_notes (user_id, listing_id, note) select $1, 1000000 + n, 'x' from generate_series(1, 499) n",
    [anaId],
  );
  const answers = await Promise.all([write(ana, first, 'One'), write(ana, other, 'Other')]);
  const refused = answers.flatMap(({ errors }) => errors);
  expect(refused).toHaveLength(1);
  expect(refused[0]?.extensions).toMatchObject({ code: 'VALIDATION', fields: { note: expect.any(String) } });
  const kept = (await stored()).at(0) as { listing_id: number };
  // The note of a car is replaced also at the limit.
  expect((await write(ana, kept.listing_id, 'Again')).data.noteOnListing.note).toBe('Again');
});

it('says under every listing of a car, and in REST, whether it is saved or hidden and what is noted', async () => {
  const ids = [first, relist, other];
  for (const id of ids) await ana.gql('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id });
  const hide = async (hidden: boolean) =>
    (
      await ana.gql('mutation ($id: ID!, $hidden: Boolean!) { hideCar(id: $id, hidden: $hidden) { id hidden } }', {
        id: String(first),
        hidden,
      })
    ).data.hideCar;
  const hiddenIn = async (browser: Browser) =>
    Promise.all(
      ids.map(
        async (id) =>
          (await browser.gql('query ($id: ID!) { listing(id: $id) { hidden } }', { id })).data.listing?.hidden,
      ),
    );
  const recent = async (id: number) =>
    (await (await ana.fetch('/api/listings/recent')).json()).find((listing: { id: number }) => listing.id === id);
  await write(ana, first, 'Rust');
  expect(await hiddenIn(ana)).toEqual([false, false, false]);
  expect(await recent(other)).toMatchObject({ saved: true, hidden: false, note: null });

  expect(await hide(true)).toEqual({ id: String(first), hidden: true });
  expect(await hiddenIn(ana)).toEqual([true, true, false]);
  expect(await hiddenIn(ben)).toEqual([false, undefined, undefined]);
  // As of a car that is listed again at a price which does not fit.
  await api.db.pool.query('delete from matches where listing_id = $1', [relist]);
  expect(await hiddenIn(ana)).toEqual([true, true, false]);

  // Another alert of hers, which a mail's link does not hide it from.
  await api.db.pool.query('update users set plan_id = 4 where id = $1', [anaId]);
  const second = await ana.createAlert();
  await insertMatches(api.db.pool, second, [first]);
  await expect.poll(() => recent(first)).toMatchObject({ saved: true, hidden: true, note: 'Rust', alertIds: [second] });
  await hide(false);
  expect(await hiddenIn(ana)).toEqual([false, false, false]);
  await expect.poll(() => recent(first)).toMatchObject({ saved: true, hidden: false, note: 'Rust' });
});
