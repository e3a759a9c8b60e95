import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isMake, isModelOf } from '../catalogue.ts';
import { checkDigitOf, decodeVin, yearCodeOf } from './decode-vin.ts';
import { makerCodes, makesOf, series } from './vin-makers.ts';

const now = new Date('2026-07-01T00:00:00Z');

it.each([
  // All ones: the weights add up to 89, which is 8 × 11 + 1. The second is NHTSA's example: 351 is 31 × 11 + 10.
  ['11111111111111111', '1'],
  ['1M8GDM9AXKP042788', 'X'],
  ['1HGCM82633A004352', '3'],
  ['5GZCZ43D13S812715', '1'],
  ['JHMCM56557C404453', '5'],
])('the check digit of %s is %s', (vin, digit) => expect(checkDigitOf(vin)).toBe(digit));

it.each([
  ['1HGCM82633A004352', [2003], ['honda'], ['accord']],
  ['5GZCZ43D13S812715', [2003], ['saturn'], []],
  ['1FTFW1CT5DFC10312', [2013], ['ford'], ['f-150', 'f-150-lightning']],
  ['5YJSA1E27HF000337', [2017], ['tesla'], ['model-s']],
  ['1J4FA49S64P704987', [2004], ['jeep'], []],
  ['1D7HA18N66S123456', [2006], ['dodge', 'ram'], []],
  ['1C4RJFAG0FC123456', [2015], ['jeep'], ['grand-cherokee', 'grand-cherokee-l', 'cherokee']],
  ['KMHDU46D58U123456', [2008], ['hyundai', 'genesis'], []],
])('decodes %s', (vin, years, makes, models) => {
  const valid = vin.slice(0, 8) + checkDigitOf(vin) + vin.slice(9);
  expect(decodeVin(valid, now)).toEqual({ years, makes, models });
});

it('has both years for a maker that is not known, and none for a code that is no year', () => {
  expect(decodeVin('1M8GDM9AXKP042788', now)).toEqual({ years: [1989, 2019], makes: [], models: [] });
  const withCode = (code: string) => `1HGCM826_${code}A004352`.replace('_', '0');
  for (const code of ['U', 'Z', '0']) {
    const vin = withCode(code);
    expect(decodeVin(vin.slice(0, 8) + checkDigitOf(vin) + vin.slice(9), now)?.years).toEqual([]);
  }
});

it('reads nothing from a VIN with a slip of the pen, wherever it was made', () => {
  expect(decodeVin('JHMCM56457C404453', now)).toBeNull();
  expect(decodeVin('1HGCM82633A004353', now)).toBeNull();
});

const CHARACTERS = [...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'];
const anyVin = fc.array(fc.constantFrom(...CHARACTERS), { minLength: 17, maxLength: 17 }).map((all) => all.join(''));

it('the years of a VIN are those of its code, of cars from 1981 to next year', () => {
  fc.assert(
    fc.property(anyVin, fc.integer({ min: 1981, max: 2027 }), (some, year) => {
      const vin = `${some.slice(0, 9)}${yearCodeOf(year)}${some.slice(10)}`;
      const decoded = decodeVin(vin.slice(0, 8) + checkDigitOf(vin) + vin.slice(9), now);
      expect(decoded?.years.every((one) => (one - year) % 30 === 0 && one <= 2027)).toBe(true);
      if (decoded?.makes.length === 0) expect(decoded.years).toContain(year);
    }),
  );
});

it('another digit in one place is always noticed, as all weights but that of the check digit are prime to 11', () => {
  fc.assert(
    fc.property(anyVin, fc.nat({ max: 16 }), fc.nat({ max: 9 }), (vin, at, digit) => {
      fc.pre(at !== 8 && /\d/.test(vin[at] ?? '') && vin[at] !== String(digit));
      expect(checkDigitOf(vin.slice(0, at) + digit + vin.slice(at + 1))).not.toBe(checkDigitOf(vin));
    }),
  );
});

it('each maker has makes of the catalogue and stands once, each series models of its make', () => {
  expect(new Set(makerCodes.map(([code]) => code)).size).toBe(makerCodes.length);
  expect(makerCodes.flatMap(([, makes]) => makes).filter((make) => !isMake(make))).toEqual([]);
  for (const [beginning, make, models] of series) {
    expect(makesOf(beginning)).toContain(make);
    expect(models.split(' ').filter((model) => !isModelOf(make, model))).toEqual([]);
  }
});
