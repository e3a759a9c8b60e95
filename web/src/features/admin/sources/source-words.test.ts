import type { FormKind } from '@lotwatch/api/forms/sources/source-fields';
import { expect, test } from 'vitest';
import { trialWords } from './source-words.ts';

const textOf = (kind: FormKind, fault: string) =>
  trialWords({ accepted: 0, rejected: 0, hasMore: false, fault }, kind).text;

test.each<[FormKind, number, RegExp]>([
  ['vehicle-feed', 401, /Check the token\.$/],
  ['marketplace-items', 403, /Check the token\.$/],
  ['google-vehicle-feed', 404, /Check the address\.$/],
  ['ebay', 401, /Check both keys/],
  ['ebay', 403, /enabled for Production/],
  ['ebay', 400, /ZIP code/],
  ['vehicle-pages', 403, /ask the dealer/],
  ['json-feed', 401, /Check the key, .* header/],
])('%s: after an answer %d the advice fits the kind', (kind, status, advice) => {
  expect(textOf(kind, `dealer.example answered ${status}.`)).toMatch(advice);
});

test('other faults speak for themselves', () => {
  expect(textOf('ebay', 'dealer.example answered 500.')).toBe('dealer.example answered 500.');
});
