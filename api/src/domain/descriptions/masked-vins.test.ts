import { expect, test } from 'vitest';
import { maskVins } from './masked-vins.ts';

test.each([
  ['VIN: 1HGCM82633A004352, clean', 'VIN: 1HG••••••••••4352, clean'],
  ['vin#1hgcm82633a004352.', 'vin#1hg••••••••••4352.'],
  ['1HGCM82633A004352 and 5YJSA1E26HF000337', '1HG••••••••••4352 and 5YJ••••••••••0337'],
  // A wrong check digit may be a slip of the pen.
  ['1HGCM82613A004352', '1HG••••••••••4352'],
  ['call 12345678901234567', 'call 12345678901234567'],
  ['aaaaaaaaaaaaaaaaa, 1HGCM82633A0043521', 'aaaaaaaaaaaaaaaaa, 1HGCM82633A0043521'],
  ['', ''],
])('%j', (text, masked) => {
  expect(maskVins(text)).toBe(masked);
});
