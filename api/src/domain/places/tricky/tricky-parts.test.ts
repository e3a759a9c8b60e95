import { expect, test } from 'vitest';
import { makeGazetteer } from '../places.ts';

const gazetteer = makeGazetteer();

test.each([
  ['Barrio Logan', 'San Diego, CA'],
  ["Hell's Kitchen", 'New York, NY'],
  ['Hyde Park, Boston', 'Boston, MA'],
  ['Bronzeville', 'Chicago, IL'],
  ['Excelsior SF', 'San Francisco, CA'],
  ['Bay View WI', 'Milwaukee, WI'],
  ['Alief TX', 'Houston, TX'],
  ['West LA', 'Los Angeles, CA'],
  ['Highland Park LA', 'Los Angeles, CA'],
  ['Garden District LA', 'New Orleans, LA'],
  ['Peterson SFB', 'Colorado Springs, CO'],
  ['Malmstrom Air Force Base', 'Great Falls, MT'],
  ['Whidbey NAS', 'Oak Harbor, WA'],
  ['Camp Pendelton', 'Camp Pendleton South, CA'],
  ['Crescent City, Louisiana', 'New Orleans, LA'],
  ['Chigaco', 'Chicago, IL'],
  ['Sta. Monica', 'Santa Monica, CA'],
  ['Happy Valley', 'Happy Valley, OR'],
  ['Forest City', 'Forest City, FL'],
  ['Sun City', 'Sun City, AZ'],
  ['Mountain View', 'Mountain View, CA'],
  ['Franklinton', 'Franklinton, LA'],
  ['Rural Idaho near Twin Falls', 'Twin Falls, ID'],
])('%s is %s', (text, label) => {
  expect(gazetteer.resolve(text)?.label).toBe(label);
});

test.each(['cash only', 'home', 'earth', 'private', 'call', 'Capitol Hill', 'Flo, MO', 'Osaka', 'Tulum Q. Roo'])(
  '%j is no US place',
  (text) => {
    expect(gazetteer.resolve(text)).toBeNull();
  },
);

test('a village whose name says nothing alone is one beside its state', () => {
  expect(gazetteer.resolve('Cash, SC')?.label).toBe('Cash, SC');
});

test('a place without a ZIP of people has the point of the ZIP beside it', () => {
  const { lat = 0, lng = 0 } = gazetteer.resolve('La Jolla, CA') ?? {};
  expect([lat, lng]).toEqual([expect.closeTo(32.85, 1), expect.closeTo(-117.26, 1)]);
  expect(gazetteer.resolve('St Thomas VI')?.lat).toBeCloseTo(18.34, 1);
});

test('a nickname yields to the place so called beside the point', () => {
  const near = { lat: 37.53, lng: -122.04 };
  expect(gazetteer.resolve('Newark', near)?.label).toBe('Newark, CA');
});
