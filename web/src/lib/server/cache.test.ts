import { gql } from '@apollo/client';
import { expect, it } from 'vitest';
import { makeCache } from './cache.ts';

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

it('appends older pages once, keeps the live cursor, and starts anew without after', () => {
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

const one = gql`
  query One($id: ID!) {
    alert(id: $id) {
      id
      make
    }
  }
`;

it('finds an alert of the list, and takes null as an answer', () => {
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
