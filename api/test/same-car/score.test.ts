import { expect, it } from 'vitest';
import { type Score, scoreMarket } from './score.ts';

const linkedShare = ({ linkedByFacts, linkedByPhoto, relists }: Score) => (linkedByFacts + linkedByPhoto) / relists;

it('links 95 % of relistings and at most one hard pair in 200 wrongly, with photos cropped or compressed again', {
  tags: 'long',
}, async () => {
  const score = await scoreMarket({ seed: 2, cars: 240 });
  expect(linkedShare(score)).toBeGreaterThanOrEqual(0.95);
  expect(score.linkedByPhoto).toBeGreaterThan(40);
  expect(score.hardPairs).toBeGreaterThan(200);
  expect(score.unrelatedLinked / score.hardPairs).toBeLessThanOrEqual(0.005);
});

it('links by facts alone where they suffice, and hardly one of thousands of hard pairs wrongly', async () => {
  const score = await scoreMarket({ seed: 3, cars: 2_000, photos: false });
  expect(linkedShare(score)).toBeGreaterThan(0.5);
  expect(score.hardPairs).toBeGreaterThan(10_000);
  expect(score.unrelatedLinked / score.hardPairs).toBeLessThan(0.002);
});
