import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makes, modelsOf } from '../catalogue.ts';
import { parseTitle } from './vehicle-title.ts';

const now = new Date('2026-06-01T00:00:00Z');

interface Car {
  make: string;
  model: string;
  makeLabel: string;
  modelLabel: string;
}

const cars: Car[] = makes.flatMap((make) =>
  modelsOf(make.value).map((model) => ({
    make: make.value,
    model: model.value,
    makeLabel: make.label,
    modelLabel: model.label,
  })),
);

/** Models that the catalogue has under another make: a Dodge Ram of 2015 is a Ram. */
const ofOtherMake: Record<string, string> = {
  'dodge ram-1500': 'ram 1500',
  'dodge ram-2500': 'ram 2500',
  'dodge ram-3500': 'ram 3500',
};

/** Ways to write a title. `{}` is make and model. */
const forms = [
  '2015 {}',
  '{} 2015',
  "'15 {}",
  '15 {}',
  'Used 2015 {} SE 4dr w/Navi',
  '2015 {} · Limited Sport Utility 4D',
  '2015 {} LE Sedan 4D',
  '2015 {} clean title, one owner',
  '2015 {} - $8,500 OBO',
  '2015 {} 8500 obo',
  '2015 {} call 555-867-5309',
  '2015 {} (555) 867 5309 no texts',
  '🔥🔥 2015 {} 🚗',
  '*** 2015 {} ***',
  '  2015    {}  ',
  'For sale: 2015 {}',
  'selling my 2015 {} runs great',
];

function catalogued(car: Car): string {
  const own = `${car.make} ${car.model}`;
  return ofOtherMake[own] ?? own;
}

function said(title: string): string {
  const { year, make, model, isCar } = parseTitle(title, now);
  return `${year} ${make} ${model}${isCar ? '' : ', no car'}`;
}

/** The titles of all models in a form that are misread. @param letters changes the case */
function faults(form: string, letters: (text: string) => string, ambiguous: readonly string[]) {
  return cars.flatMap((car) => {
    const title = letters(form.replace('{}', `${car.makeLabel} ${car.modelLabel}`));
    return ambiguous.includes(`${car.make} ${car.model}`) || said(title) === `2015 ${catalogued(car)}`
      ? []
      : [`${title} → ${said(title)}`];
  });
}

/** The catalogue's electric half-ton is not distinguished from the half-ton. */
const alwaysAmbiguous = ['ram 1500-rev'];
/** In lower case the Lexus IS is an English word, unless a number follows or it ends the title. */
const ambiguousSmall = [...alwaysAmbiguous, 'lexus is'];

describe.each(forms)('%s', (form) => {
  test.each([
    ['as written', (text: string) => text, alwaysAmbiguous],
    ['in small letters', (text: string) => text.toLowerCase(), ambiguousSmall],
    ['in capitals', (text: string) => text.toUpperCase(), alwaysAmbiguous],
  ])('reads back every model, %s', (_, letters, ambiguous) => {
    expect(faults(form, letters, ambiguous)).toEqual([]);
  });
});

const noCar = [
  'wanted: {}',
  'WTB 2015 {}',
  'Looking for a 2015 {}',
  'In search of {}',
  'headlights for 2015 {}',
  'set of 4 rims off a 2015 {}',
  'engine and transmission out of a {}',
  '2015 {} parts only',
  'hot wheels {}',
  'owners manual 2015 {}',
];

test.each(noCar)('%s sells no car for any model', (form) => {
  const taken = cars.flatMap(({ makeLabel, modelLabel }) => {
    const title = form.replace('{}', `${makeLabel} ${modelLabel}`);
    return parseTitle(title, now).isCar ? [title] : [];
  });
  expect(taken).toEqual([]);
});

const trims = [
  '',
  '',
  'LE',
  'EX-L',
  'Limited AWD',
  'SE V6',
  '4x4',
  'Sport',
  'Touring',
  'SV',
  'XLT SuperCrew',
  '2.5 SL',
];
const praise = ['', '', 'clean title', 'low miles', 'one owner', 'must see', '98k miles', 'runs great', 'black'];

/** Random titles as sellers write them. */
const titles = fc
  .record({
    year: fc.integer({ min: 1997, max: 2026 }),
    car: fc.constantFrom(...cars),
    trim: fc.constantFrom(...trims),
    praise: fc.constantFrom(...praise),
    yearLast: fc.boolean(),
  })
  .map(({ year, car, trim, praise: said, yearLast }) => {
    const name = `${car.makeLabel} ${car.modelLabel} ${trim}`;
    return (yearLast ? `${name} ${year} ${said}` : `${year} ${name} ${said}`).replace(/\s+/g, ' ').trim();
  });

const harmless: Record<string, (title: string) => string> = {
  capitals: (title) => title.toUpperCase(),
  'small letters': (title) => title.toLowerCase(),
  'more blanks': (title) => `  ${title.replaceAll(' ', '   ')}\t`,
  'an emoji before': (title) => `🔥 ${title}`,
  'emojis after': (title) => `${title} 🚗💨`,
  'a price after': (title) => `${title} $7,900`,
  'a price before': (title) => `$7900 ${title}`,
  'a price like a year before': (title) => `$1999 ${title}`,
  'a price like a year after': (title) => `${title} $2000 OBO`,
  'a phone number after': (title) => `${title} 555-867-5309`,
  exclamations: (title) => `${title}!!!`,
  'stars around': (title) => `**${title}**`,
  'markup around': (title) => `<b>${title}</b>`,
  'letters of another alphabet after': (title) => `${title} продам`,
};

test.each(Object.entries(harmless))('%s do not change the result', (_, change) => {
  fc.assert(
    fc.property(titles, (title) => {
      // In lower case the Lexus IS is an English word.
      fc.pre(!/\bis\b/i.test(title));
      expect(said(change(title))).toBe(said(title));
    }),
    { numRuns: 300 },
  );
});

test('a title that starts with a wish or a part sells no car, and names the same make', () => {
  fc.assert(
    fc.property(titles, fc.constantFrom('WTB', 'Looking for', 'headlights for', 'rims off'), (title, start) => {
      expect(parseTitle(`${start} ${title}`, now)).toMatchObject({ isCar: false });
      expect(parseTitle(`${start} ${title}`, now).make).toBe(parseTitle(title, now).make);
    }),
    { numRuns: 300 },
  );
});
