import { alertFieldNames } from '@lotwatch/api/forms/alert';
import { visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { AlertFactsFragment, pricesText, yearsText } from './alert-facts.ts';

describe('the alert page', () => {
  it('says Any for what is missing', () => {
    expect(yearsText({ yearMin: 2015 })).toBe('2015 – Any');
    expect(yearsText({})).toBe('Any year');
    expect(pricesText({ priceMax: 9000 })).toBe('Any – $9,000');
    expect(pricesText({})).toBe('Any price');
  });
});

it('is fetched with every field that the form edits, as saving would clear the others', () => {
  const fetched = new Set<string>();
  visit(AlertFactsFragment, { Field: ({ name }) => void fetched.add(name.value) });
  expect(alertFieldNames.filter((name) => !fetched.has(name))).toEqual([]);
});
