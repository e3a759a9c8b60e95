import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { limits, withinLimits } from './limits.ts';
import { makeSchema } from './make-schema.ts';

const schema = makeSchema();
const refusals = (query: string) => validate(schema, parse(query), [withinLimits]).map((error) => error.message);

const aliased = (times: number, field: string) => Array.from({ length: times }, (_, n) => `a${n}: ${field}`).join(' ');

const alertFields =
  'id make model yearMin yearMax location place radius priceMin priceMax color onlyWithImages mileageMax models transmission fuel drive body titleStatus seller excludeWords requireWords priceStated belowFairPrice emailNotifications textNotifications isActive createdAt expiresAt daysRemaining matchCount';
const listingFields =
  'id title price imageUrl images mileage transmission fuel drive body titleStatus seller color condition location { reverse_geocode { city state } } latitude longitude distance year make model isNew viewed status url createdAt alertIds carId priceHistory { price seenAt } offers { id source price url status createdAt isCurrent }';
const matchFields = `matchedAt announced distance verdicts { criterion verdict asked found } receipt { listedAt seenAt matchedAt handedOverAt deliveredAt } alert { ${alertFields} } listing { ${listingFields} }`;

describe('an operation', () => {
  it.each([
    [
      'a page of 100 matches with everything',
      `{ matches(first: 100) { nodes { ${matchFields} } endCursor liveCursor hasMore } }`,
    ],
    ['the same with a variable', `query ($n: Int) { matches(first: $n) { nodes { ${matchFields} } } }`],
    [
      'a dashboard',
      `{ me { id } site { testMode } alerts { ${alertFields} } recentListings { ${listingFields} } plans { id features } }`,
    ],
    ['two wishes', `{ ${aliased(2, 'readWish(text: "x") { input { make } understood { text } notUnderstood }')} }`],
    ['newest matches again and again', `{ ${aliased(30, 'matches(sort: newest, only: []) { hasMore }')} }`],
    ['the catalogue', '{ catalogue { makes { value label models { value label } } years { value } } }'],
  ])('may be %s', (_what, query) => {
    expect(refusals(query)).toEqual([]);
  });

  it.each([
    [
      'two pages of everything',
      `{ a: matches(first: 100) { nodes { ${matchFields} } } b: matches(first: 100) { nodes { ${matchFields} } } c: matches(first: 100) { nodes { ${matchFields} } } }`,
      'cost',
    ],
    [
      'pages hidden in fragments',
      `{ ...a ...b ...c } fragment a on Query { a: matches(first: 100) { ...p } } fragment b on Query { b: matches(first: 100) { ...p } } fragment c on Query { c: matches(first: 100) { ...p } } fragment p on MatchPage { nodes { ${matchFields} } }`,
      'cost',
    ],
    [
      'pages of a variable size',
      `query ($n: Int) { a: matches(first: $n) { nodes { ${matchFields} } } b: matches(first: $n) { nodes { ${matchFields} } } c: matches(first: $n) { nodes { ${matchFields} } } }`,
      'cost',
    ],
    ['many aliases', `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: me { id }`).join(' ')} }`, 'aliases'],
    [
      'many logins under aliases',
      `mutation { ${Array.from({ length: 31 }, (_, n) => `a${n}: login(username: "x", password: "${n}") { id }`).join(' ')} }`,
      'aliases',
    ],
    ['the schema again and again', `{ ${aliased(4, '__schema { types { name } }')} }`, 'cost'],
    ['wishes again and again', `{ ${aliased(3, 'readWish(text: "x") { notUnderstood }')} }`, 'cost'],
    [
      'previews again and again',
      `query ($i: AlertInput!) { ${aliased(3, 'previewAlert(input: $i) { matchCount }')} }`,
      'cost',
    ],
    ['matches sorted again and again', `{ ${aliased(11, 'matches(alertId: 1, sort: price) { hasMore }')} }`, 'cost'],
    [
      'matches filtered again and again',
      `query ($o: [ListFilter!]) { ${aliased(11, 'matches(alertId: 1, only: $o) { hasMore }')} }`,
      'cost',
    ],
    ['saved cars filtered again and again', `{ ${aliased(11, 'savedListings(only: [new]) { total }')} }`, 'cost'],
    ['maps again and again', `{ ${aliased(30, 'matchMap(alertId: 1) { latitude }')} }`, 'cost'],
    ['introspection under aliases', `{ ${aliased(31, '__type(name: "User") { name }')} }`, 'aliases'],
    [
      'the catalogue again and again',
      `{ ${aliased(8, 'catalogue { makes { value label models { value label } } }')} }`,
      'cost',
    ],
    [
      'deep introspection',
      `{ __schema { types { ${'fields { type { '.repeat(10)} name ${'} } '.repeat(10)} } } }`,
      'depth',
    ],
  ])('may not be %s', (_what, query, limit) => {
    expect(refusals(query).join()).toContain(`its ${limit} is`);
  });

  it('is measured within milliseconds when each fragment uses another one twice', () => {
    const fragments = Array.from({ length: 40 }, (_, n) => `fragment f${n} on User { ...f${n + 1} ...f${n + 1} }`);
    const query = `{ me { ...f0 } } ${fragments.join(' ')} fragment f40 on User { id }`;
    const start = performance.now();
    expect(refusals(query).join()).toContain('its cost is');
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('is measured without an endless loop when fragments form a cycle', () => {
    expect(refusals('{ me { ...a } } fragment a on User { ...b } fragment b on User { ...a }')).toEqual([]);
  });

  it('has a limited number of tokens', () => {
    expect(() => parse(`{ me { ${'id '.repeat(limits.tokens)} } }`, { maxTokens: limits.tokens })).toThrow('tokens');
  });
});
