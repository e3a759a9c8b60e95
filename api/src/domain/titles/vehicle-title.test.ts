import { expect, test } from 'vitest';
import { cleanTitle } from './title-words.ts';
import { parseTitle, readTitle } from './vehicle-title.ts';

const now = new Date('2026-06-01T00:00:00Z');
const said = (title: string) => {
  const { year, make, model } = parseTitle(title, now);
  return [year, make, model];
};

test.each([
  ['2017 Honda Accord · LX Coupe 2D', 2017, 'honda', 'accord'],
  ['$2000 negotiable...2005 ford 500', 2005, 'ford', 'five-hundred'],
  ['chevy silverado 1500 4x4 08', 2008, 'chevrolet', 'silverado-1500'],
  ['2023 Volkswagen Taos · SEL Sport Utility 4D', 2023, 'volkswagen', 'taos'],
  ['2019 Nissan Rogue Sport · S', 2019, 'nissan', 'rogue-sport'],
  ['2023 Tesla Model Y · Long Range', 2023, 'tesla', 'model-y'],
  ['1984 f350 dump truck', 1984, 'ford', 'f-350'],
  ['toyota camry', null, 'toyota', 'camry'],
  ['Camry 2010 $4500', 2010, 'toyota', 'camry'],
  ["'98 civic, runs great", 1998, 'honda', 'civic'],
  ['05 white X5 BMW', 2005, 'bmw', 'x5'],
  ['F-250 2011 super duty', 2011, 'ford', 'f-250'],
  ['f 150 2011', 2011, 'ford', 'f-150'],
  ['2015 BMW 328i xDrive', 2015, 'bmw', '3-series'],
  ['2012 Mercedes C 300', 2012, 'mercedes-benz', 'c-class'],
  ['1989 Mercedes-Benz 560SL', 1989, 'mercedes-benz', 'sl-class'],
  ['Lexus 350 RX 2012', 2012, 'lexus', 'rx'],
  ['2016 VW Jetta 1.4T', 2016, 'volkswagen', 'jetta'],
  ['2014 Range Rover Sport', 2014, 'land-rover', 'range-rover-sport'],
  ['2012 Dodge Ram 1500', 2012, 'ram', '1500'],
  ['2008 Dodge Ram 1500', 2008, 'dodge', 'ram-1500'],
  ['2006 ram 2500 diesel', 2006, 'dodge', 'ram-2500'],
  ['chevrolet 3500 flatbed 2006', 2006, 'chevrolet', 'silverado-3500'],
  ['2013 mini cooper s countryman', 2013, 'mini', 'countryman'],
  ['2016 Ford Fusion (better than camry)', 2016, 'ford', 'fusion'],
  ['2007 mercury mariner, same as Ford Escape', 2007, 'mercury', 'mariner'],
  ['toyta camery 2009', 2009, 'toyota', 'camry'],
  ['2011 Chevorlet Malibo', 2011, 'chevrolet', 'malibu'],
  ['Honda Accord 2,000 miles', null, 'honda', 'accord'],
  ['Camry Hybrid (2019 battery)', null, 'toyota', 'camry'],
  ['1964.5 Ford Mustang', 1964, 'ford', 'mustang'],
  ['CASH ONLY 2004 Buick LeSabre', 2004, 'buick', 'lesabre'],
  ['Honda Civic only 2000', null, 'honda', 'civic'],
  ['1972 Ford Torino Squire', 1972, 'ford', null],
  ['2002 Saturn, 78,000 miles', 2002, 'saturn', null],
  ['𝟐𝟎𝟏𝟓 𝐅𝐨𝐫𝐝 𝐅𝐨𝐜𝐮𝐬', 2015, 'ford', 'focus'],
  ['2015toyota corolla', 2015, 'toyota', 'corolla'],
  ['2035 Toyota Camry', null, 'toyota', 'camry'],
  ['lexus is for sale 2010', 2010, 'lexus', null],
  ["Dodge Charger on 26's, loud system", null, 'dodge', 'charger'],
  ['2011 BMW X5 M package, clean', 2011, 'bmw', 'x5'],
  ['2011 BMW X5 M', 2011, 'bmw', 'x5-m'],
  ['2007 dodge ram 2500megacab cummins', 2007, 'dodge', 'ram-2500'],
  ['Trade my Volvo for your Prius', null, 'volvo', null],
  ['will trade 2009 Accord for a Toyota Tacoma', 2009, 'honda', 'accord'],
  ['1970 Nova', 1970, 'chevrolet', null],
  ['Impala SS', null, 'chevrolet', 'impala'],
  ['07 S550 low miles', 2007, 'mercedes-benz', 's-class'],
  ['2012 rang rover sport', 2012, 'land-rover', 'range-rover-sport'],
  ['2004 Toaureg', 2004, 'volkswagen', 'touareg'],
])('%s', (title, ...facts) => {
  expect(said(title)).toEqual(facts);
  expect(parseTitle(title, now).isCar).toBe(true);
});

test.each([
  '2018 Honda Civic 4 door, new tires',
  '2011 Nissan Rogue w/ new tires',
  '2018 Ford Explorer XLT, 33k miles, hitch, new tires',
  '1994 S600 Mercedes Benz. V12, rebuilt transmission, clean interior',
  '2008 Scion xB wheelchair conversion, low miles',
  '2005 Civic for parts',
  '2013 Honda Civic - MANUAL TRANSMISSION',
  '2009 Mazda 5 mini van 3rd seat',
  '1999 Toyota Camry needs transmission',
  '2015 tesla model s 90 kwh battery',
  '1978 Pontiac Firebird Formula',
  'Mitsubishi Fuso box truck mechanic special',
])('%s is a car', (title) => {
  expect(parseTitle(title, now).isCar).toBe(true);
});

test.each([
  'Set (5) of wheels and tires',
  'Set of 4 rims off 2012 civic',
  '2015 Camaro wheels',
  'Engine for 2010 Ford Escape',
  '2010 Ford Escape engine',
  '2012 Honda Accord doors',
  '2008-2012 Honda Accord headlights',
  'Chevy 350 engine',
  'Honda Civic engine for parts',
  'Camper shell for Toyota Tacoma',
  '1998 Honda Accord part out',
  'WTB: Toyota Tacoma, any year',
  'Looking for a Honda Civic',
  'Honda generator EU2000i',
  'Toyota key fob',
  'Hot Wheels 1967 Camaro',
  'Power Wheels Jeep Wrangler',
  '2008 Honda CBR 600',
  '2011 BMW R1200RT',
  'Honda CRF250R 2007',
  '2001 Harley-Davidson Softail',
  '1997 Thor 5th wheel camper',
  '2007 Nitro bass boat',
  'BMW jacket',
  'DJI Mini 2',
  '2019 Mac mini',
  'Mini fridge',
  'Escape room',
  'Odyssey putter',
  'Tahoe couch',
  'Tesla wall charger',
  'Ford 8N tractor',
  'Dodgers tickets',
  'Sectional couch, gray, like new',
  '5 Beds 3 Baths - House',
  'Female models wanted for a photo shoot',
  'BMW cruiser tire 26 x 2.25',
  '2010 Suzuki SX4',
  '1941 Plymouth De Luxe',
  '',
  '   ',
])('%s is no car', (title) => {
  expect(parseTitle(title, now).isCar).toBe(false);
});

test('a title that sells no car still has year, make and model', () => {
  expect(said('Engine for 2010 Ford Escape')).toEqual([2010, 'ford', 'escape']);
});

test('a make outside the catalogue is distinguished from no vehicle', () => {
  expect(readTitle('2010 Suzuki SX4', now).otherMake).toBe(true);
  expect(readTitle('2017 Ferrari 488', now).otherMake).toBe(true);
  expect(readTitle('Walk in freezer', now).otherMake).toBe(false);
});

test.each([
  ['<b>2018</b> Honda\u0000 Accord<script>', '2018 Honda Accord'],
  ['Ford &amp; Co\n\t F-150\u202e', 'Ford & Co F-150'],
  ['price < 5000 > 3000', 'price < 5000 > 3000'],
  ['x'.repeat(900), 'x'.repeat(500)],
  [`${'x'.repeat(499)}😀`, 'x'.repeat(499)],
])('%j is cleaned', (raw, title) => {
  expect(cleanTitle(raw)).toBe(title);
});
