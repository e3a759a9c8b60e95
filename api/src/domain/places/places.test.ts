import { expect, test } from 'vitest';
import { gazetteer } from '../../../lab/gazetteer.ts';
import { readDataFile } from '../../base/data-folder.ts';

const zipsCsv = readDataFile('geo/us-zips.csv');

test.each([
  ['Austin, TX', 'Austin, TX'],
  ['austin texas', 'Austin, TX'],
  ['  AUSTIN,TX  ', 'Austin, TX'],
  ['Portland', 'Portland, OR'],
  ['Portland, Maine', 'Portland, ME'],
  ['Springfield, IL', 'Springfield, IL'],
  ['St. Louis MO', 'St. Louis, MO'],
  ['Saint Louis, Missouri', 'St. Louis, MO'],
  ['Ft Worth', 'Fort Worth, TX'],
  ['Ft. Lauderdale FL', 'Fort Lauderdale, FL'],
  ['Mt Pleasant, SC', 'Mount Pleasant, SC'],
  ['N Las Vegas', 'North Las Vegas, NV'],
  ['Winston Salem, NC', 'Winston-Salem, NC'],
  ['Coeur D Alene, Idaho', "Coeur d'Alene, ID"],
  ['O’Fallon, Missouri', "O'Fallon, MO"],
  ['Washington, D.C.', 'Washington, DC'],
  ['Washington', 'Washington, DC'],
  ['New York', 'New York, NY'],
  ['NYC', 'New York, NY'],
  ['new york city ny', 'New York, NY'],
  ['San Francisco Bay Area', 'San Francisco, CA'],
  ['SF Bay Area', 'San Francisco, CA'],
  ['greater Boston area', 'Boston, MA'],
  ['Houston, Texas, United States', 'Houston, TX'],
  ['Ventura, CA', 'Ventura, CA'],
  ['Van Nuys, CA', 'Van Nuys, CA'],
  ['La Canada Flintridge', 'La Cañada Flintridge, CA'],
  ['Boise City, ID', 'Boise, ID'],
  ['Kansas City', 'Kansas City, MO'],
  ['Kansas City KS', 'Kansas City, KS'],
  ['Miami, OK', 'Miami, OK'],
  ['Houston, TX 77015', 'Houston, TX'],
])('%s is %s', (text, label) => {
  expect(gazetteer.resolve(text)?.label).toBe(label);
});

test.each([
  '',
  '   ',
  'California',
  'Texas',
  'Nowhere, ZZ',
  'Liege',
  'Bergen op Zoom, NB',
  '🙂',
  '00000',
  'constructor',
])('%j is no place', (text) => {
  expect(gazetteer.resolve(text)).toBeNull();
});

test('a ZIP has its own coordinates, and an unknown one those of the nearest with the same three digits', () => {
  expect(gazetteer.resolve('10001')).toMatchObject({ zip: '10001', label: 'New York, NY' });
  expect(gazetteer.resolve('94124-2872')).toMatchObject({ zip: '94124', label: 'San Francisco, CA' });
  expect(zipsCsv).not.toContain('\n78700,');
  expect(gazetteer.resolve('78700')).toMatchObject({ zip: '78701', label: 'Austin, TX' });
});

test('of several places of one name the one near the coordinates is meant', () => {
  expect(gazetteer.resolve('Portland', { lat: 43.6, lng: -70.2 })?.state).toBe('ME');
  expect(gazetteer.resolve('Portland', { lat: 0, lng: 100 })?.state).toBe('OR');
  expect(gazetteer.resolve('Portland, OR', { lat: 43.6, lng: -70.2 })?.state).toBe('OR');
});

test('a region keeps coordinates that are within it', () => {
  const redding = { lat: 40.587, lng: -122.392 };
  expect(gazetteer.resolve('Northern California', redding)).toMatchObject({ state: 'CA', ...redding });
  expect(gazetteer.resolve('upstate NY', { lat: 42.886, lng: -78.879 })).toMatchObject({ lat: 42.886 });
  expect(gazetteer.resolve('Northern California', { lat: 52.35, lng: 42.1 })?.label).toBe('San Francisco, CA');
  expect(gazetteer.resolve('San Francisco, CA', redding)?.lat).toBeCloseTo(37.77, 1);
});

test('a misspelt name without a state is searched near the coordinates first', () => {
  expect(gazetteer.resolve('Springfeild', { lat: 39.78, lng: -89.65 })?.label).toBe('Springfield, IL');
  expect(gazetteer.resolve('Springfeild')?.label).toBe('Springfield, MO');
});

test('the name of a state is no city if the coordinates are elsewhere', () => {
  const batonRouge = { lat: 30.45, lng: -91.15 };
  expect(gazetteer.resolve('LA', batonRouge)).toBeNull();
  expect(gazetteer.resolve('LA')?.label).toBe('Los Angeles, CA');
  expect(gazetteer.resolve('Washington', { lat: 47.6, lng: -122.3 })).toBeNull();
  expect(gazetteer.resolve('Washington', { lat: 38.9, lng: -77 })?.label).toBe('Washington, DC');
});

test('names that differ only by a space are distinguished within a state', () => {
  expect(gazetteer.resolve('Lake View, AR')?.label).toBe('Lake View, AR');
  expect(gazetteer.resolve('Lakeview, AR')?.label).toBe('Lakeview, AR');
  expect(gazetteer.resolve('Cold Spring, NY')?.lat).not.toBe(gazetteer.resolve('Coldspring, NY')?.lat);
});

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

test('digits suggest ZIPs that begin with them, the most populous first', () => {
  const zips = gazetteer.suggest('902', 8).map(({ zip }) => zip);
  expect(zips.every((zip) => zip?.startsWith('902'))).toBe(true);
  expect(gazetteer.suggest('9021', 8)[0]?.zip).toBe('90210');
  expect(gazetteer.suggest('90210', 8).map(({ zip }) => zip)).toEqual(['90210']);
});

test('a large place of another name does not hide a small one that is typed in full', () => {
  expect(gazetteer.suggest('Man, WV', 8)[0]?.label).toBe('Man, WV');
  expect(gazetteer.suggest('man', 8).map(({ label }) => label)).toContain('Manchester, NH');
});
