import { expect, it } from 'vitest';
import { vinYears } from './vin-year.ts';

const now = new Date('2026-07-01T00:00:00Z');

it.each([
  ['1HGCM82633A004352', [2003]],
  ['1M8GDM9AXKP042788', [1989, 2019]],
  ['5YJSA1E26HF000337', [1987, 2017]],
  ['JTDKN3DU0A0123456', []],
  ['JHMCM56557C404453', [2007]],
  ['1FTFW1ET0VFA00001', [1997, 2027]],
  ['1FTFW1ET0WFA00001', [1998]],
  ['1FTFW1ET0UFA00001', []],
])('reads the model years of %s', (vin, years) => {
  expect(vinYears(vin, now)).toEqual(years);
});

it('does not trust the VIN of an import with a slip of the pen', () => {
  expect(vinYears('JHMCM56457C404453', now)).toEqual([]);
});
