import { gql } from '@apollo/client';
import { expect, it } from 'vitest';
import { evictAlert, evictAllExcept, makeCache } from './cache.ts';

const page = gql`
  query Page($alertId: ID, $after: String) {
    matches(alertId: $alertId, after: $after) {
      nodes {
        matchedAt
        alert {
          id
        }
        listing {
          id
        }
      }
      endCursor
      liveCursor
      hasMore
    }
  }
`;

function pageOf(listings: string[], endCursor: string, liveCursor: string) {
  const nodes = listings.map((id) => ({
    __typename: 'Match',
    matchedAt: '2026-11-21T10:00:00Z',
    alert: { __typename: 'Alert', id: '1' },
    listing: { __typename: 'Listing', id },
  }));
  return { matches: { __typename: 'MatchPage', nodes, endCursor, liveCursor, hasMore: true } };
}

it('appends older pages once, keeps the live cursor, and replaces the list without after', () => {
  const cache = makeCache();
  const first = { alertId: '1', after: null };
  cache.writeQuery({ query: page, variables: first, data: pageOf(['9', '8'], 'c8', 'live') });
  cache.writeQuery({ query: page, variables: { alertId: '1', after: 'c8' }, data: pageOf(['8', '7'], 'c7', 'later') });
  const read = () => cache.readQuery<ReturnType<typeof pageOf>>({ query: page, variables: first })?.matches;
  expect(read()?.nodes.map((node) => node.listing.id)).toEqual(['9', '8', '7']);
  expect(read()).toMatchObject({ endCursor: 'c7', liveCursor: 'live' });
  cache.writeQuery({ query: page, variables: first, data: pageOf(['10'], 'c10', 'live2') });
  expect(read()?.nodes.map((node) => node.listing.id)).toEqual(['10']);
});

it('replaces the head of a list and keeps the older pages below it', () => {
  const cache = makeCache();
  const first = { alertId: '1', after: null };
  const shown = () => {
    const found = cache.readQuery<ReturnType<typeof pageOf>>({ query: page, variables: first })?.matches;
    return [found?.nodes.map((node) => node.listing.id).join(' '), found?.endCursor, found?.hasMore];
  };
  cache.writeQuery({ query: page, variables: first, data: pageOf(['9', '8', '7'], 'c7', 'live') });
  cache.writeQuery({ query: page, variables: { alertId: '1', after: 'c7' }, data: pageOf(['6', '5'], 'c5', 'x') });
  cache.writeQuery({ query: page, variables: first, data: pageOf(['10', '9', '8', '7'], 'c7', 'live2') });
  expect(shown()).toEqual(['10 9 8 7 6 5', 'c5', true]);
  cache.writeQuery({ query: page, variables: first, data: pageOf(['6', '10', '9', '8', '7'], 'c7', 'live2') });
  expect(shown()).toEqual(['6 10 9 8 7 5', 'c5', true]);
  // Number 5 was shown again and moved above 7 and 6.
  cache.writeQuery({ query: page, variables: first, data: pageOf(['10', '9', '5'], 'c5 again', 'live2') });
  expect(shown()).toEqual(['10 9 5', 'c5 again', true]);
  const all = pageOf(['10', '9'], 'c9', 'live3');
  cache.writeQuery({ query: page, variables: first, data: { matches: { ...all.matches, hasMore: false } } });
  expect(shown()).toEqual(['10 9', 'c9', false]);
});

it('replaces a list that was cut, to which older pages can not be joined', () => {
  const cache = makeCache();
  const first = { alertId: '1', after: null };
  const cut = pageOf(['9', '8', '7'], '', 'live');
  cache.writeQuery({ query: page, variables: first, data: { matches: { ...cut.matches, endCursor: null } } });
  cache.writeQuery({ query: page, variables: first, data: pageOf(['10', '9'], 'c9', 'live2') });
  const found = cache.readQuery<ReturnType<typeof pageOf>>({ query: page, variables: first })?.matches;
  expect([found?.nodes.map((node) => node.listing.id), found?.endCursor]).toEqual([['10', '9'], 'c9']);
});

it('removes a deleted alert and its matches from every list', () => {
  const cache = makeCache();
  const two = pageOf(['9', '8'], 'c8', 'live');
  const [, other] = two.matches.nodes;
  if (other) other.alert = { __typename: 'Alert', id: '2' };
  const variables = { after: null };
  cache.writeQuery({ query: page, variables, data: two });
  evictAlert(cache, '1');
  const left = cache.readQuery<ReturnType<typeof pageOf>>({ query: page, variables })?.matches.nodes;
  expect(left?.map((node) => node.listing.id)).toEqual(['8']);
  expect(cache.extract()['Match:1:9']).toBeUndefined();
});

const one = gql`
  query One($id: ID!) {
    alert(id: $id) {
      id
      make
    }
  }
`;

it('finds an alert of the list, and accepts null as an answer', () => {
  const cache = makeCache();
  const list = gql`
    query List {
      alerts {
        id
        make
      }
    }
  `;
  cache.writeQuery({ query: list, data: { alerts: [{ __typename: 'Alert', id: '1', make: 'toyota' }] } });
  expect(cache.readQuery({ query: one, variables: { id: '1' } })).toMatchObject({ alert: { make: 'toyota' } });
  expect(cache.readQuery({ query: one, variables: { id: '2' } })).toBeNull();
  cache.writeQuery({ query: one, variables: { id: '2' }, data: { alert: null } });
  expect(cache.readQuery({ query: one, variables: { id: '2' } })).toEqual({ alert: null });
});

it('evicts fields with any arguments, except the given ones', () => {
  const cache = makeCache();
  const query = gql`
    {
      plans { id }
      webhooks { id }
      webhook(id: "7") { id }
    }
  `;
  const webhook = { __typename: 'Webhook', id: '7' };
  cache.writeQuery({ query, data: { plans: [{ __typename: 'Plan', id: '1' }], webhooks: [webhook], webhook } });
  evictAllExcept(cache, new Set(['plans']));
  expect(Object.keys(cache.extract().ROOT_QUERY ?? {})).toEqual(['__typename', 'plans']);
  expect(cache.extract()['Webhook:7']).toBeUndefined();
});
