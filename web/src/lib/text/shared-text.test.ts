import { expect, it } from 'vitest';
import { MAX_SHARED, sharedText } from './shared-text.ts';

const ADDRESS = 'https://www.facebook.com/marketplace/item/123/?ref=share';

it.each([
  [{ url: ADDRESS }, ADDRESS],
  [{ title: '2014 Civic', text: `Look at this: ${ADDRESS} on Marketplace` }, ADDRESS],
  [{ title: ADDRESS, text: 'A car' }, ADDRESS],
  [{ text: '  blue civic\nunder 9k  ' }, 'blue civic under 9k'],
  [{ title: '2014 Honda Civic' }, '2014 Honda Civic'],
  [{ url: 'javascript:alert(1)' }, 'javascript:alert(1)'],
  [{ text: '<script>alert(1)</script>' }, '<script>alert(1)</script>'],
  [{}, ''],
  [{ text: ' ' }, ''],
])('%j is read as %s', (given, text) => {
  expect(sharedText(new URLSearchParams(given as Record<string, string>))).toBe(text);
});

it('a text of any length is read in no time, and cut', () => {
  expect(sharedText(new URLSearchParams({ text: 'a'.repeat(1_000_000) }))).toHaveLength(MAX_SHARED);
  expect(sharedText(new URLSearchParams({ text: `https://${'a'.repeat(600)} car` }))).toHaveLength(MAX_SHARED);
});
