import { expect, test } from 'vitest';
import { gazetteer } from '../../../lab/gazetteer.ts';
import { isColor, isMake, isModelOf } from '../catalogue.ts';
import { alertSchema } from '../forms/alert.ts';
import { readWish } from './wish.ts';
import { formWish } from './wish-input.ts';

const now = new Date('2026-11-25T12:00:00Z');
const read = (text: string) => readWish(text, { gazetteer, now });

test('the sentence of the form is read into its fields, with the words for each', () => {
  const wish = formWish(read('blue civic or corolla under 9k within 40 miles of Reno, 2014 or newer, no salvage'));
  expect(wish.input).toEqual({
    models: ['honda/civic', 'toyota/corolla'],
    yearMin: 2014,
    priceMax: 9000,
    location: 'Reno',
    radius: 50,
    color: 'blue',
    titleStatus: 'clean',
  });
  expect(wish.understood).toEqual([
    { fields: ['models'], text: 'civic', value: 'Honda Civic' },
    { fields: ['models'], text: 'corolla', value: 'Toyota Corolla' },
    { fields: ['color'], text: 'blue', value: 'Blue' },
    { fields: ['priceMax'], text: 'under 9k', value: 'Up to $9,000' },
    { fields: ['radius'], text: 'within 40 miles', value: 'Within 50 miles' },
    { fields: ['location'], text: 'of Reno', value: 'Near Reno' },
    { fields: ['yearMin'], text: '2014 or newer', value: '2014 or newer' },
    { fields: ['titleStatus'], text: 'no salvage', value: 'Clean title' },
  ]);
  expect(wish.notUnderstood).toEqual([]);
});

test.each([
  'blue civic under 9k within 40 miles of Reno, 2014 or newer, with photos',
  'chevy silverado 1500 between $5,000 and $9,000, 2008 to 2012, grey, 89502',
  'manual diesel awd wagon, clean title, under 100k miles, no rust, must mention "one owner", with a stated price, below market',
  'https://www.facebook.com/marketplace/reno/vehicles?minPrice=3000&maxPrice=9000&minYear=2014&maxYear=2018',
])('what %j fills is valid in the form', async (text) => {
  const { input } = formWish(read(text));
  const whole = { make: 'honda', location: 'Reno', radius: 50, ...input };
  const context = { now, isMake, isModelOf, isColor };
  await expect(alertSchema.validate(whole, { context })).resolves.toMatchObject(whole);
});

test('nothing is said of an empty text', () => {
  expect(formWish(read(' '))).toEqual({ input: {}, understood: [], notUnderstood: [] });
});

test('few names are looked up with their misspellings, each once, and exact ones are found after them', () => {
  const looked: string[] = [];
  const counting = {
    ...gazetteer,
    resolve(text: string) {
      looked.push(text);
      return gazetteer.resolve(text);
    },
  };
  const names = Array.from({ length: 25 }, (_, at) => `by q${'abcdefghijklmnopqrstuvwxyz'[at]} vx jw`).join(' ');
  const { fields } = readWish(`${names} kx qz, near Reno`, { gazetteer: counting, now });
  expect(looked.length).toBeLessThanOrEqual(20);
  expect(new Set(looked).size).toBe(looked.length);
  expect(fields.location).toBe('Reno');
  looked.length = 0;
  readWish('near qq vx jw, near qq vx jw', { gazetteer: counting, now });
  expect(looked).not.toEqual([]);
  expect(new Set(looked).size).toBe(looked.length);
});
