import { expect, it } from 'vitest';
import { type Browser } from '../../../test/browser.ts';
import { insertMatches, storeCars } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { unmarkListings } from '../../../test/matching/listing-marks.ts';
import { untilDone } from '../../../test/until-done.ts';
import { inTransaction } from '../../base/database.ts';
import { purgeListings } from '../../intake/purge-listings.ts';
import { retireUnseen } from '../../intake/retire-listings.ts';

let ana: Browser;
let alertId: number;

const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
  alertId = await ana.createAlert({ color: 'silver' });
});

const listing = `id title price imageUrl images mileage transmission color condition year make model isNew viewed status
  url createdAt alertIds carId distance location { reverse_geocode { city state } } priceHistory { price seenAt }
  offers { id source price url status }`;
const cards = `{ matches { nodes { matchedAt announced distance alert { id matchCount } listing { ${listing} }
  verdicts { criterion verdict asked found } receipt { listedAt seenAt matchedAt handedOverAt deliveredAt } } liveCursor }
  recentListings { ${listing} } }`;

it('old matches show the same card after their listing was reduced, with its first photo', async () => {
  const images = ['https://photos.example/1.jpg', 'https://photos.example/2.jpg'];
  const [first = 0, second = 0, lonely = 0] = await storeCars(api.db.pool, [
    { images },
    { images: [], color: null },
    {},
  ]);
  await insertMatches(api.db.pool, alertId, [first, second]);
  await api.db.pool.query('insert into price_changes values ($1, 17000, now()), ($1, 15400, now())', [first]);
  await ana.gql('mutation ($id: ID!) { markListingViewed(id: $id) { id } }', { id: first });
  await unmarkListings(api.db.pool);
  await api.db.pool.query("update listings set last_seen_at = now() - interval '91 days'");
  await untilDone(api.db.pool, retireUnseen);
  const before = (await ana.gql(cards)).data;
  expect(before.matches.nodes).toHaveLength(2);

  expect(await inTransaction(api.db.pool, (client) => purgeListings(client))).toMatchObject({ removed: 1, kept: 2 });
  const { data: after, errors } = await ana.gql(cards);
  expect(errors).toEqual([]);
  const withFirstPhoto = (node: { listing: { images: string[] } }) => ({
    ...node,
    listing: { ...node.listing, images: node.listing.images.slice(0, 1) },
  });
  expect(after.matches.nodes).toEqual(before.matches.nodes.map(withFirstPhoto));
  expect(after.matches.nodes[1].listing).toMatchObject({ images: images.slice(0, 1), viewed: true });
  expect(after.recentListings).toHaveLength(2);
  expect((await ana.gql('query ($id: ID!) { listing(id: $id) { id } }', { id: lonely })).data.listing).toBeNull();
});
