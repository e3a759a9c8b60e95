import { describe, expect, it } from 'vitest';
import { badTitleText, furtherFacts } from './shown-facts.ts';

describe('furtherFacts', () => {
  it.each([
    [
      { title: '2018 Honda Accord', trim: 'EX-L', drive: 'fwd', fuel: 'hybrid', body: 'sedan' },
      ['EX-L', 'Hybrid', 'FWD', 'Sedan'],
    ],
    [{ title: '2018 Honda Accord EX-L Sedan 4D', trim: 'EX-L', body: 'sedan', fuel: 'gas' }, []],
    [{ title: '2018 Honda Accord', trim: null, drive: 'other', fuel: 'other' }, []],
  ])('%j are %j', (listing, facts) => expect(furtherFacts(listing)).toEqual(facts));
});

it.each([
  ['salvage', 'Salvage title'],
  ['parts_only', 'For parts only'],
  ['lien', 'Title with a lien'],
  ['clean', null],
  ['other', null],
  [null, null],
])('a title that is %s has the badge %s', (status, text) => expect(badTitleText(status)).toBe(text));
