import { expect, test } from 'vitest';
import { readTextFacts } from './text-facts.ts';

const car = { make: 'toyota', model: 'camry', year: 2010, price: 6000 };
const colorIn = (title: string, description: string | null) =>
  readTextFacts({ ...car, title, description }).color?.value ?? null;

test.each([
  ['exterior: black, interior: tan', 'black'],
  ['Exterior Color: Summit White', 'white'],
  ['Color: Silver', 'silver'],
  ['color is dark gray metallic', 'gray'],
  ['Exterior color - maroon', 'red'],
  ['ext. color: Graphite', 'gray'],
  ['Color: negro', 'black'],
  ['beautiful silver 2010 Camry', 'silver'],
  ['I have a black Toyota for sale', 'black'],
  ['pearl white exterior', 'white'],
  ['black on black', 'black'],
  ['white over tan', 'white'],
  ['Blk on tan', 'black'],
  ['white with tan leather interior', 'white'],
  ['painted blue', 'blue'],
  ['the car is red', 'red'],
  ['Gold color', 'gold'],
  ['Clean title\nCharcoal Gray\nNew tires', 'gray'],
  ['tan interior, green exterior', 'green'],
  ['Interior color: black. Exterior color: white', 'white'],
  ['LX, FWD, Silver, Black Cloth, 17 inch wheels', 'silver'],
  ['Package 2B, Bright White Clearcoat, Tow Hitch', 'white'],
  // Another thing than the outside
  ['Sport, Black Metallic wheels', null],
  ['Seats: Gray, black leather', null],
  ['black leather', null],
  ['interior: black', null],
  ['interior color gray', null],
  ['black rims and tinted windows', null],
  ['Alpine White wheels', null],
  ['white smoke from the exhaust', null],
  ['green title', null],
  ['Kelley Blue Book value', null],
  ['Blue tooth radio', null],
  ['Red River, Redding, Silver Spring', null],
  ["Gray's Auto", null],
  ['a red light is on', null],
  ['black stripes', null],
  ['red calipers', null],
  ['will trade for a black Toyota', null],
  ['not the white Camry', null],
  ['black plates', null],
  ['wheel color: black', null],
  ['red seats with black stitching', null],
  ['Grille Color - Black', null],
  ['Black Exterior Mirrors', null],
  ['Mirror Color Black', null],
  ['black GMC center caps', null],
  ['Aluminum Painted Silver', null],
  ['there is red paint under the sill', null],
  ['Green Car Journal award', null],
  ['- Black; Cloth Seat Trim', null],
  ['grey exterior with black color cloth interior', 'gray'],
])('the description %j states the color %j', (description, color) => {
  expect(colorIn('2010 Toyota Camry', description)).toBe(color);
});

test.each([
  ['silver 2010 Toyota Camry', 'silver'],
  ['2010 Toyota Camry black', 'black'],
  ['2010 Toyota Camry, white, automatic', 'white'],
  ['BLACK 10 Camry clean title', 'black'],
  ['2010 Camry black leather', null],
  ['2010 Camry Red River', null],
  ['2010 Camry Blue Book 9k', null],
  ['2010 Camry black rims', null],
  ['2010 Camry silver spring', null],
])('the title %j states the color %j', (title, color) => {
  expect(colorIn(title, null)).toBe(color);
});
