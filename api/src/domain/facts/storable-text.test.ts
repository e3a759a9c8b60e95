import { expect, test } from 'vitest';
import { storableText } from './storable-text.ts';

test.each([
  ['2015 Honda Civic – “Señor” 🚗\t\r\n', '2015 Honda Civic – “Señor” 🚗\t\r\n'],
  ['a\u0000b', 'a\uFFFDb'],
  ['a\u001b[31mb\u007f\u009b', 'a\uFFFD[31mb\uFFFD\uFFFD'],
  ['a\ud83d', 'a\uFFFD'],
])('%j', (text, stored) => expect(storableText(text)).toBe(stored));
