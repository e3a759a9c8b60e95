import { expect, test } from 'vitest';
import { makeGazetteer } from './places.ts';

const gazetteer = makeGazetteer();

test.each([
  ['springf', 'Springfield, MO'],
  ['st lou', 'St. Louis, MO'],
  ['st. lou', 'St. Louis, MO'],
  ['saint louis, m', 'St. Louis, MO'],
  ['new y', 'New York, NY'],
  ['new o', 'New Orleans, LA'],
  ['ft w', 'Fort Worth, TX'],
  ['ft. laud', 'Fort Lauderdale, FL'],
  ['n las v', 'North Las Vegas, NV'],
  ['w palm', 'West Palm Beach, FL'],
  ['mt pl', 'Mount Pleasant, SC'],
  ['o’f', "O'Fallon, MO"],
  ['coeur d', "Coeur d'Alene, ID"],
  ['winston-s', 'Winston-Salem, NC'],
  ['san josé', 'San Jose, CA'],
  ['san', 'San Antonio, TX'],
  ['d', 'Dallas, TX'],
  ['wash', 'Washington, DC'],
  ['philly', 'Philadelphia, PA'],
  ['twin c', 'Minneapolis, MN'],
  ['bay ar', 'San Francisco, CA'],
  ['lax', 'Los Angeles, CA'],
  ['portland m', 'Portland, ME'],
  ['springfield il', 'Springfield, IL'],
  ['york', 'York, PA'],
  ['lake', 'Lakewood, CO'],
  ['albeq', 'Albuquerque, NM'],
  ['cinncin', 'Cincinnati, OH'],
  ['orange county, c', 'Anaheim, CA'],
  ['barrio l', 'San Diego, CA'],
  ['pitsb', 'Pittsburgh, PA'],
])('typing %j suggests %s first', (text, label) => {
  expect(gazetteer.suggest(text, 8)[0]?.label).toBe(label);
});

test('digits suggest ZIPs that begin so, where most people live first', () => {
  const zips = gazetteer.suggest('902', 8).map(({ zip }) => zip);
  expect(zips.every((zip) => zip?.startsWith('902'))).toBe(true);
  expect(gazetteer.suggest('9021', 8)[0]?.zip).toBe('90210');
  expect(gazetteer.suggest('90210', 8).map(({ zip }) => zip)).toEqual(['90210']);
});

test('a large place of another name does not hide a small one that is typed in full', () => {
  expect(gazetteer.suggest('Man, WV', 8)[0]?.label).toBe('Man, WV');
  expect(gazetteer.suggest('man', 8).map(({ label }) => label)).toContain('Manchester, NH');
});
