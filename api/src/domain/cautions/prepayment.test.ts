import { expect, it } from 'vitest';
import { findPrepayment } from './prepayment.ts';

it.each([
  ['2018 Toyota Camry, deposit first', 'deposit first'],
  ['I need a $500 deposit before you see the car.', 'deposit before you see'],
  ['Deposit required before viewing, thanks', 'deposit required before viewing'],
  ['A deposit is required to view', 'deposit is required to view'],
  ['Please send the deposit and I will hold it', 'send the deposit'],
  ['Send me the money and the car is yours', 'send me the money'],
  ['Payment in full up front', 'payment in full up front'],
  ['Pay first, then I deliver', 'pay first'],
  ['You pay in advance', 'pay in advance'],
  ['Payment accepted in gift cards', 'payment accepted in gift cards'],
  ['I take Amazon gift cards', 'take amazon gift cards'],
  ['Gift cards only', 'gift cards only'],
  ['pay with steam gift card', 'pay with steam gift card'],
  ['ZELLE ONLY', 'zelle only'],
  ['Zelle first', 'zelle first'],
  ['I only accept Cash App', 'only accept cash app'],
  ['Pay by Zelle and I ship', 'pay by zelle'],
  ['deposit via Venmo', 'deposit via venmo'],
  ['send $300 through cashapp to hold', 'send $300 through cashapp'],
  ['Payment by Western Union', 'payment by western union'],
  ['I accept bitcoin', 'accept bitcoin'],
  ['MoneyGram transfer', 'moneygram transfer'],
  ['wire transfer only', 'wire transfer only'],
  ['Shipping only', 'shipping only'],
  ['Delivery only, no local pickup', 'delivery only'],
  ['The car ships to you after payment', 'ships to you after payment'],
  ['will be shipped once the deposit clears', 'shipped once the deposit'],
  ["It can't be seen in person", "can't be seen in person"],
  ['The deal is covered by eBay Motors vehicle purchase protection', 'ebay motors vehicle purchase protection'],
  ['Runs great. No rust.\nDeposit first', 'deposit first'],
  ['Don’t lowball me. Zelle only!', 'zelle only'],
])('finds what asks for money first: %s', (text, words) => {
  expect(findPrepayment(text)).toBe(words);
});

it.each([
  '2018 Toyota Camry SE',
  'No deposit needed, come and see it first',
  'Will hold with a deposit',
  '$500 deposit holds it',
  'Deposit accepted in person. First come, first served',
  'First payment in 60 days',
  'Low down payment up front',
  'No payment before you see it',
  'Never send a deposit first',
  'Never send money to anybody',
  'Cash or Zelle',
  'Cash, Zelle, or cashiers check accepted at pickup',
  'pay by Zelle or cash when we meet',
  'Zelle ok',
  "I won't take gift cards or any other scam",
  'Beware of people who accept bitcoin',
  '$100 gift card with every test drive',
  'Take a test drive and get a free gift card with purchase',
  'Free gift cards included',
  'Shipping available',
  'Shipping only at the cost of the buyer',
  'Delivery only within 50 miles',
  'Local pickup only, no shipping',
  'Bank transfer or cash',
  'Also listed on eBay',
  'New transmission, shift linkage and wire harness only 2 years old',
  'We wire trailers. Clean title in hand.',
  'Pay off is 12,000, clean title before summer',
  'Paid 30k new, first owner',
  'Serious buyers only, cash in person',
  'Security deposit first',
  'Transfer case only 20k miles old',
  'Payment history available, first owner',
  "Can't see any rust",
])('leaves alone what other sellers write: %s', (text) => {
  expect(findPrepayment(text)).toBeNull();
});

it('reads the title before the description, and bounds both', () => {
  expect(findPrepayment('Zelle only', 'deposit first')).toBe('zelle only');
  expect(findPrepayment('2018 Camry', null)).toBeNull();
  expect(findPrepayment(`${'deposit '.repeat(200_000)}`)).toBeNull();
  expect(findPrepayment(`${'send '.repeat(200_000)}`)).toBeNull();
  expect(findPrepayment(null, 'x'.repeat(20_000), 'deposit first')).toBe('deposit first');
});
