import { expect, it } from 'vitest';
import { COUNTED_MATCHES, matchCountText } from './match-cap.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [COUNTED_MATCHES, '1,000+'],
  [98_765, '1,000+'],
])('%i matches read "%s"', (count, text) => {
  expect(matchCountText(count)).toBe(text);
});
