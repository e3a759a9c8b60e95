import { type Answer, type Data, field, sentence } from './answers.ts';
import type { Call } from './call.ts';
import { listing } from './selections.ts';

interface Page {
  nodes: { listing: unknown }[];
  endCursor: string | null;
  hasMore: boolean;
}

const pageOf = (data: Data) => data.matches as Page;

const listingsOfPage: Answer = {
  of: (data) => pageOf(data).nodes.map((match) => match.listing),
  schema: (at) => ({ type: 'array', items: at('matches.nodes.listing') }),
};

export const listingCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/listings/recent',
    summary: 'The cars of the 50 newest matches, each car once',
    tag: 'Listings',
    access: 'user',
    operation: `{ recentListings { ${listing} } }`,
    answer: field('recentListings'),
  },
  {
    method: 'GET',
    path: '/listings',
    summary: "An alert's listings, the newest match first; the Link header leads to older ones",
    tag: 'Listings',
    access: 'user',
    operation: `query ($alertId: ID!, $first: Int = 100, $after: String) {
      matches(alertId: $alertId, first: $first, after: $after) { nodes { listing { ${listing} } } endCursor hasMore }
    }`,
    query: { alertId: 'alertId', first: 'first', after: 'after' },
    answer: listingsOfPage,
    next: (data) => (pageOf(data).hasMore ? pageOf(data).endCursor : null),
    failures: ['NOT_FOUND'],
  },
  {
    method: 'PATCH',
    path: '/listings/{id}/view',
    summary: 'Note that the user has looked at a listing',
    tag: 'Listings',
    access: 'user',
    operation: `mutation ($id: ID!) { markListingViewed(id: $id) { ${listing} } }`,
    answer: sentence('The listing is marked as viewed.', { listing: 'markListingViewed' }),
  },
];
