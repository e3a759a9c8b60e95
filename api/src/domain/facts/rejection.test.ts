import { expect, test } from 'vitest';
import { KEPT_WHOLE_BYTES, rejected } from './listing-facts.ts';

test.each([
  ['a short record', '{"id":1}', true],
  ['64 KB', 'x'.repeat(KEPT_WHOLE_BYTES), true],
  ['a character more', 'x'.repeat(KEPT_WHOLE_BYTES + 1), false],
  ['64 KB of characters that take two bytes', 'é'.repeat(KEPT_WHOLE_BYTES), false],
  ['5 MB', 'x'.repeat(5_000_000), false],
])('%s', (_name, record, whole) => {
  const made = rejected('feed', null, 'MALFORMED', 'It is no row.', record);
  if (!('rejection' in made)) throw new Error('taken');
  expect(made.rejection).toMatchObject({ reader: 'feed', whole });
  expect(made.rejection.record).toBe(whole ? record : record.slice(0, 8000));
});
