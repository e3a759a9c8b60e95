import { expect, it } from 'vitest';
import { dollars, mileageText, miles, milesAway, planPrice, priceRange, priceText } from './amounts.ts';

it('writes prices', () => {
  expect(dollars(15400)).toBe('$15,400');
  expect(priceText(null)).toBe('Price not stated');
  expect(priceText(0)).toBe('$0');
  expect([planPrice('0'), planPrice('4.99'), planPrice('5.50')]).toEqual(['$0', '$4.99', '$5.50']);
});

it('writes price ranges, with the words for a missing end', () => {
  expect(priceRange(0, 18000)).toBe('$0 – $18,000');
  expect(priceRange(null, null)).toBe('$0 – Any');
  expect(priceRange(null, 5000, 'Any')).toBe('Any – $5,000');
});

it('writes distances', () => {
  expect([miles(1), miles(50), miles(1200)]).toEqual(['1 mile', '50 miles', '1,200 miles']);
  expect([milesAway(0.4), milesAway(9.96), milesAway(19.6)]).toEqual(['0.4 mi away', '10 mi away', '20 mi away']);
  expect([mileageText(800), mileageText(62_400)]).toEqual(['800 mi', '62K mi']);
});
