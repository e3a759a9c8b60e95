import { expect, test } from 'vitest';
import { parseTitle } from '../vehicle-title.ts';

const now = new Date('2026-06-01T00:00:00Z');
const isCar = (title: string) => parseTitle(title, now).isCar;

/** Made-up titles in which a word that is no car's does not outweigh the rest. */
test.each([
  '2011 BMW M3 M-Sport DCT transmission',
  '2004 Ford F-150 Harley-Davidson',
  '06 F-150 Harley Davidson edition, supercharged',
  '2003 Ford F350 service truck with built-in compressor',
  '1970 Nova',
  'Impala SS',
  '07 S550 low miles',
  '2012 rang rover sport',
  '2004 Toaureg',
  '2022 Hyundai Santa Cruz SEL',
  '2017 Ford Fusion, apple carplay',
  '2013 Chrysler Voyager',
  'Mustang GT',
  'Mustang 5.0',
  'JK Rubicon',
  'Focus ST',
  'Charger R/T',
  '2003 F-150 Harley-Davidson',
  '1987 300SDL, 160k miles',
  'Strong running Honda Accord',
  '2006 convertible beetl',
  '1971 Chevelle frame off restoration',
  '2016 Toyota Tacoma in Tacoma',
])('%s is a car', (title) => {
  expect(isCar(title)).toBe(true);
});

/** Made-up titles whose names or numbers are those of cars too. */
test.each([
  'ZTE Sonata 4G phone',
  'Plantronics Voyager Bluetooth headset',
  'iMac 27 Fusion Drive 2013',
  'Models wanted for a hair show',
  '2016 Santa Cruz mountain bike frame, carbon',
  'Moving to Tacoma in June, need a room',
  'Tahoe cabin, sleeps eight',
  'Two bicycle tires 26 x 2.25',
  'TCL 4-Series TV 50 inch',
  'Hamster wheel for a Fiat lover',
  'Leica M3 camera with lens',
  'ZTE Sonata',
  'TCL 4-Series TV 2020',
  '2014 Santa Cruz Bronson',
  '2015 Santa Cruz 5010',
  'Trek Navigator 200',
  '2010 Avigo Freestyle',
  'Charger 2.0 USB',
  'Fit 2.0 watch',
  'Element SE speakers',
  'Liberty St. 1331',
  'My Fair Lady doll 1995',
  'Looking to sell your Prius 2010? Call me',
  '2009 Honda CBR 600',
  '1996 Honda 750 bobber',
  'Chauffeur with a Mercedes S-Class for hire',
  'Ford and GMC transmission repair',
  'Sales consultant at a Nissan dealership',
  'Rear doors for a 2011 Accord',
  'New engine for 2013 Toyota Sienna',
])('%s is no car', (title) => {
  expect(isCar(title)).toBe(false);
});
