import { gql } from '@apollo/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { AlertMatchesDocument } from '../features/matches/MatchList.tsx';
import { makeCache } from '../lib/server/client/cache.ts';
import { addToLists, alertOfList, evictListsExcept } from './live-cache.ts';

const matchFields = 'matchedAt alert { id matchCount } listing { id title }';
const pageQuery = gql`query ($alertId: ID, $after: String) {
  matches(alertId: $alertId, first: 2, after: $after) { nodes { ${matchFields} } endCursor hasMore liveCursor }
}`;

function match(alertId: string, listingId: string, matchCount = 1) {
  return {
    __typename: 'Match',
    matchedAt: '2026-11-21T10:00:00Z',
    alert: { __typename: 'Alert', id: alertId, matchCount },
    listing: { __typename: 'Listing', id: listingId, title: `Car ${listingId}` },
  };
}

let cache = makeCache();

function writePage(alertId: string | undefined, nodes: ReturnType<typeof match>[], after?: string): void {
  const page = { __typename: 'MatchPage', nodes, endCursor: 'e', hasMore: true, liveCursor: 'l' };
  cache.writeQuery({ query: pageQuery, variables: { alertId, after }, data: { matches: page } });
}

function arrive(...arrived: ReturnType<typeof match>[]): void {
  for (const one of arrived) {
    cache.writeFragment({ id: cache.identify(one), fragment: gql`fragment F on Match { ${matchFields} }`, data: one });
  }
  addToLists(cache, arrived);
}

function shown(alertId?: string): string[] {
  const data = cache.readQuery<{ matches: { nodes: ReturnType<typeof match>[] } }>({
    query: pageQuery,
    variables: { alertId },
  });
  return data?.matches.nodes.map((node) => node.listing.id) ?? [];
}

beforeEach(() => {
  cache = makeCache();
  writePage('7', [match('7', '2'), match('7', '1')]);
  writePage('8', [match('8', '1')]);
  writePage(undefined, [match('7', '2')]);
});

it('drops the lists that no page shows, and leaves the others', () => {
  evictListsExcept(cache, new Set([null, '8']));
  expect([shown('7'), shown('8'), shown()]).toEqual([[], ['1'], ['2']]);
});

describe('addToLists', () => {
  it('puts a match at the head of its alert and of the list over all alerts', () => {
    arrive(match('7', '3'));
    expect([shown('7'), shown('8'), shown()]).toEqual([['3', '2', '1'], ['1'], ['3', '2']]);
  });

  it('changes nothing when it receives a match again', () => {
    arrive(match('7', '3'));
    arrive(match('7', '3'), match('7', '1'));
    expect([shown('7'), shown()]).toEqual([
      ['3', '2', '1'],
      ['1', '3', '2'],
    ]);
  });

  it('keeps the newest first when several arrive at once', () => {
    arrive(match('7', '3'), match('7', '4'));
    expect(shown('7')).toEqual(['4', '3', '2', '1']);
  });

  it('keeps the pages below and adds no duplicates when an older page follows', () => {
    arrive(match('7', '3'));
    writePage('7', [match('7', '1'), match('7', '0')], 'e');
    expect(shown('7')).toEqual(['3', '2', '1', '0']);
  });

  it('updates the count of the alert', () => {
    arrive(match('7', '3', 12));
    expect(cache.extract()['Alert:7']).toMatchObject({ matchCount: 12 });
  });

  it('leaves the other matches of a list the same objects, so that their cards are not drawn again', () => {
    const query = {
      query: AlertMatchesDocument,
      variables: { alertId: '7' },
      optimistic: true,
      returnPartialData: true,
    };
    const read = () => cache.diff(query).result?.matches?.nodes ?? [];
    const before = read();
    arrive(match('7', '3', 12));
    const [first, ...others] = read();
    expect([first?.listing?.id, others.length]).toEqual(['3', 2]);
    for (const [at, other] of others.entries()) expect(other).toBe(before[at]);
  });

  it('does nothing to a cache without lists', () => {
    cache = makeCache();
    arrive(match('7', '3'));
    expect(shown('7')).toEqual([]);
  });
});

it.each([
  ['matches', null],
  ['matches:{}', null],
  ['matches:{"alertId":null}', null],
  ['matches:{"alertId":"7"}', '7'],
])('%s is the list of alert %s', (storeFieldName, alertId) => {
  expect(alertOfList(storeFieldName)).toBe(alertId);
});
