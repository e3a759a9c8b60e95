import { expect, test } from 'vitest';
import { readTextFacts, type TextFacts } from './text-facts.ts';

const car = { make: 'toyota', model: 'camry', year: 2010, price: 6000 };
type Name = 'drive' | 'fuel' | 'transmission' | 'body' | 'doors';
function factIn(name: Name, title: string, description: string | null) {
  const facts: TextFacts = readTextFacts({ ...car, title, description });
  return facts[name]?.value ?? null;
}

test.each([
  ['AWD, heated seats', 'awd'],
  ['all-wheel drive', 'awd'],
  ['Quattro', 'awd'],
  ['xDrive', 'awd'],
  ['4MATIC', 'awd'],
  ['SH-AWD', 'awd'],
  ['4x4 works', '4wd'],
  ['4 x 4', '4wd'],
  ['four wheel drive', '4wd'],
  ['4WD', '4wd'],
  ['front wheel drive', 'fwd'],
  ['Drivetrain: RWD', 'rwd'],
  ['2 wheel drive', '2wd'],
  ['4x2', '2wd'],
  ['shifts from 2WD into 4WD', '4wd'],
  ['not 4x4', null],
  ['2wd, not a 4x4', '2wd'],
  ['also available in AWD', null],
  ['AWD available', null],
  ['will trade for a 4x4', null],
  ['looking for 4x4 trucks', null],
  ['4 wheel disc brakes', null],
  ['new front wheel bearings', null],
  ['4x4 rims', null],
  ['4WD/AWD', null],
  ['4WD Selector - Manual', null],
  ['Full Speed FWD Collision Warning', null],
])('the description %j states the drive %j', (description, drive) => {
  expect(factIn('drive', '2010 Toyota Camry', description)).toBe(drive);
});

test.each([
  ['Fuel: gas', 'gas'],
  ['5.7L gas', 'gas'],
  ['gas engine', 'gas'],
  ['runs on regular unleaded', 'gas'],
  ['flex fuel', 'gas'],
  ['E85', 'gas'],
  ['hybrid', 'hybrid'],
  ['gas/electric hybrid', 'hybrid'],
  ['plug-in hybrid', 'plug_in_hybrid'],
  ['PHEV', 'plug_in_hybrid'],
  ['turbo diesel', 'diesel'],
  ['5.9 Cummins', 'diesel'],
  ['6.0 Power Stroke', 'diesel'],
  ['Duramax', 'diesel'],
  ['TDI', 'diesel'],
  ['fully electric', 'electric'],
  ['electric vehicle', 'electric'],
  ['Fuel type: electric', 'electric'],
  ['gas saver', null],
  ['great on gas', null],
  ['full tank of gas', null],
  ['new gas tank', null],
  ['electric windows', null],
  ['all electric windows and seats', null],
  ['electric fan', null],
  ['not a diesel', null],
  ['better than a hybrid', null],
  ['serviced by a diesel mechanic', null],
  ['trade for a diesel', null],
  ['runs great', null],
  ['10-Year/100,000 Mile Hybrid/EV Battery Warranty', null],
  ['every certified plug-in hybrid comes with an 8-year warranty', null],
  ['hybrid wiper blades', null],
  ['4 cylinder gas saver', null],
  ['Fuel Gasoline', 'gas'],
])('the description %j states the fuel %j', (description, fuel) => {
  expect(factIn('fuel', '2010 Toyota Camry', description)).toBe(fuel);
});

test.each([
  ['automatic transmission', 'automatic'],
  ['Transmission: automatic', 'automatic'],
  ['trans auto', 'automatic'],
  ['6-speed automatic', 'automatic'],
  ['6 speed auto', 'automatic'],
  ['V6 automatic ac heater', 'automatic'],
  ['CVT', 'automatic'],
  ['Tiptronic', 'automatic'],
  ['auto, cold ac', 'automatic'],
  ['it is automatic with 142k miles', 'automatic'],
  ['automático', 'automatic'],
  ['automatic with manual mode', 'automatic'],
  ['8-speed A/T', 'automatic'],
  ['5 speed', 'manual'],
  ['five speed', 'manual'],
  ['5spd', 'manual'],
  ['6-speed manual', 'manual'],
  ['stick shift', 'manual'],
  ["it's a stick", 'manual'],
  ['manual transmission, manual windows', 'manual'],
  ['standard transmission', 'manual'],
  ['transmision estandar', 'manual'],
  ['manual', 'manual'],
  ['not automatic', null],
  ['automatic windows', null],
  ['automatic climate control', null],
  ['auto start', null],
  ['Gray Auto Sales', null],
  ['auto parts', null],
  ['auto-dimming mirror', null],
  ['manual windows', null],
  ["owner's manual", null],
  ['books and manuals', null],
  ['8 speed transmission', null],
  ['new transmission', null],
  ['standard features', null],
  ['Rearview Mirror - Manual Day/Night', null],
  ['Driver Seat Manual Adjustments', null],
  ['Transmission: 6-Speed Aisin Gen 3 Auto', null],
  ['6-speed dual-clutch transmission', 'automatic'],
  ['dual zone automatic climate', null],
  ['automatic sensor wipers', null],
  ['BFG A/T tires', null],
  ['stick-on tag', null],
  ['4 speed', null],
])('the description %j states the transmission %j', (description, transmission) => {
  expect(factIn('transmission', '2010 Toyota Camry', description)).toBe(transmission);
});

test.each([
  ['body', '2010 Camry sedan 4D', null, 'sedan'],
  ['doors', '2010 Camry sedan 4D', null, 4],
  ['body', '2010 Silverado crew cab', null, 'truck'],
  ['body', '2010 Escape Sport Utility 4D', null, 'suv'],
  ['body', '2010 Camry', 'a great 4 door sedan', 'sedan'],
  ['doors', '2010 Camry', 'a great 4 door sedan', 4],
  ['doors', '2010 Camry', '2-door', 2],
  ['body', '2010 Camry', 'Body style: coupe', 'coupe'],
  ['body', '2010 Camry', 'local pickup only', null],
  ['body', '2010 Camry', 'will trade for a convertible', null],
  ['body', '2010 Beetle coupe or convertible', null, null],
  ['doors', '2010 Camry', 'power door locks', null],
] as const)('of the %s, %j and %j state %j', (name, title, description, value) => {
  expect(factIn(name, title, description)).toBe(value);
});
