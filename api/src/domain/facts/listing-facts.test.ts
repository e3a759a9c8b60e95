import { expect, test } from 'vitest';
import { MAX_WHOLE_BYTES, rejected, storableText } from './listing-facts.ts';

test.each([
  ['a short record', '{"id":1}', true],
  ['64 KB', 'x'.repeat(MAX_WHOLE_BYTES), true],
  ['a character more', 'x'.repeat(MAX_WHOLE_BYTES + 1), false],
  ['64 KB of characters that take two bytes', 'é'.repeat(MAX_WHOLE_BYTES), false],
  ['5 MB', 'x'.repeat(5_000_000), false],
])('stores %s of a rejected record', (_name, record, whole) => {
  const made = rejected('feed', null, 'MALFORMED', 'It is no row.', record);
  if (!('rejection' in made)) throw new Error('not rejected');
  expect(made.rejection).toMatchObject({ reader: 'feed', whole });
  expect(made.rejection.record).toBe(whole ? record : record.slice(0, 8000));
});

test.each([
  ['2015 Honda Civic – “Señor” 🚗\t\r\n', '2015 Honda Civic – “Señor” 🚗\t\r\n'],
  ['a\u0000b', 'a\uFFFDb'],
  ['a\u001b[31mb\u007f\u009b', 'a\uFFFD[31mb\uFFFD\uFFFD'],
  ['a\ud83d', 'a\uFFFD'],
])('stores the text %j as %j', (text, stored) => expect(storableText(text)).toBe(stored));
