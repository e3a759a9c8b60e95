import { expect, it } from 'vitest';
import { verdictsFor } from '../criteria/criteria.ts';
import { ListingStatus, rejectCodes } from '../facts/listing-facts.ts';
import {
  type ExplainedPair,
  explainPair,
  explanationOutcomes,
  explanationSentences,
  quarantineSentence,
} from './explain.ts';

const alert = { make: 'toyota', onlyWithImages: false, lat: 34, lng: -118, radius: 50 };
const listing = { make: 'toyota', lat: 34, lng: -118 };
const fitting = verdictsFor(alert, listing);
const failing = verdictsFor(alert, { ...listing, make: 'honda' });
const pair: ExplainedPair = {
  status: ListingStatus.forSale,
  match: null,
  announced: false,
  isFromBefore: false,
  isBeforeBackfill: false,
  isCapped: false,
  isPending: false,
  isWatching: true,
};
const shown = { match: 'shown' } as const;
const sold = { status: ListingStatus.sold };

it.each([
  ['announced', { ...shown, announced: true, isFromBefore: true }, fitting],
  ['announced', { ...shown, announced: true, ...sold }, fitting],
  ['backfilled', { ...shown, isFromBefore: true }, fitting],
  ['shown_only', shown, fitting],
  ['dismissed', { match: 'dismissed' }, fitting],
  ['dismissed', { match: 'dismissed' }, failing],
  ['pending', { isPending: true }, fitting],
  ['fitted_before', { match: 'hidden' }, failing],
  ['does_not_fit', { ...sold, isPending: true }, failing],
  ['not_for_sale', { ...sold, isWatching: false }, fitting],
  ['not_watching', { isWatching: false, isPending: true }, fitting],
  ['too_old', { isBeforeBackfill: true, isFromBefore: true }, fitting],
  ['missed', { isFromBefore: true }, fitting],
  ['left_out', { isCapped: true }, fitting],
  ['missed', { isCapped: true, match: 'hidden' }, fitting],
] as const)('the outcome is %s for %j', (outcome, change, verdicts) => {
  expect(explainPair({ ...pair, ...change }, verdicts)).toBe(outcome);
});

it('every outcome and every code of the quarantine has a sentence', () => {
  for (const outcome of explanationOutcomes) expect(explanationSentences[outcome]).toMatch(/\.$/);
  for (const code of rejectCodes) expect(quarantineSentence(code)).toMatch(/: .+\.$/);
});
