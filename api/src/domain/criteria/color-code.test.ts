import { expect, it } from 'vitest';
import { colors } from '../catalogue.ts';
import { colorCode } from './criteria.ts';

it('has a code of its own for every color of the catalogue, 0 for any and for not stated', () => {
  const codes = colors.map(({ value }) => colorCode(value));
  expect(new Set(codes).size).toBe(colors.length);
  expect(codes[0]).toBe(0);
  expect(colorCode(null)).toBe(0);
  expect(colorCode('teal')).toBe(colorCode('other'));
});
