import { expect, it } from 'vitest';
import type { FeedEvent } from '../../live/match-feed.ts';
import { type BatchLoader, batch, userKeyText } from '../loaders/batch.ts';
import type { SharedLoaders } from '../loaders/make-loaders.ts';
import { makePrefetch } from './prefetch.ts';

/** Loaders that return their key and record what they were asked for; alert 13 doesn't exist. */
function fakeLoaders() {
  const asked: string[] = [];
  const loader = (name: string, textOf: (key: never) => string = String): BatchLoader<never, unknown> =>
    batch((keys) => {
      asked.push(`${name} ${keys.map(textOf).join(' ')}`);
      const found = keys.filter((key) => !textOf(key).endsWith('/13'));
      return Promise.resolve(new Map(found.map((key) => [textOf(key), `${name} ${textOf(key)}`])));
    }, textOf);
  const shared = {
    alerts: loader('alerts', userKeyText),
    listings: loader('listings'),
    listingsForBuyer: loader('listingsForBuyer', userKeyText),
    isOwn: loader('isOwn', userKeyText),
  };
  return { asked, shared: shared as unknown as SharedLoaders };
}

const eventOf = (alertId: number, listingId: number): FeedEvent => ({
  cursor: '',
  row: {
    alertId,
    listingId,
    distance: 1,
    notStated: 0,
    announced: true,
    matchedAt: new Date(0),
    position: '1',
    nonce: 1,
  },
});

it('loads once for all events of a batch, and then resolves each without waiting', async () => {
  const { asked, shared } = fakeLoaders();
  const prefetch = makePrefetch(shared);
  const first = await prefetch(eventOf(1, 7), 1);
  expect(await first.alerts.load({ userId: 1, id: 1 })).toBe('alerts 1/1');
  expect(await first.listings.load(7)).toBe('listings 7');
  asked.length = 0;

  const all = await Promise.all([1, 2, 13].map((user) => prefetch(eventOf(user, 7), user)));
  expect(asked).toEqual(['alerts 1/1 2/2 13/13', 'listings 7']);
  expect(
    all.map((loaders, at) => loaders.alerts.load({ userId: [1, 2, 13][at] ?? 0, id: [1, 2, 13][at] ?? 0 })),
  ).toEqual(['alerts 1/1', 'alerts 2/2', undefined]);
  expect(all[0]?.listings.load(7)).toBe('listings 7');
  expect(asked).toHaveLength(2);
});

it('loads what the row gives no key for', async () => {
  const { asked, shared } = fakeLoaders();
  const loaders = await makePrefetch(shared)(eventOf(1, 7), 1);
  expect(await loaders.listings.load(8)).toBe('listings 8');
  expect(await loaders.isOwn.load({ userId: 1, id: 8 })).toBe('isOwn 1/8');
  expect(asked).toEqual(['listings 8', 'isOwn 1/8']);
});

it('caches nothing for the next batch', async () => {
  const { asked, shared } = fakeLoaders();
  const prefetch = makePrefetch(shared);
  await (await prefetch(eventOf(1, 7), 1)).listings.load(7);
  await prefetch(eventOf(1, 7), 1);
  await prefetch(eventOf(1, 7), 1);
  expect(asked).toEqual(['listings 7', 'listings 7', 'listings 7']);
});
