import { type Answer, type Data, field, sentence } from './answers.ts';
import type { Call } from './call.ts';
import { listing, matchLine } from './selections.ts';

interface Page<T> {
  nodes: T[];
  endCursor: string | null;
  hasMore: boolean;
}

const pageOf = (data: Data) => data.matches as Page<{ listing: unknown }>;
const logOf = (data: Data) => data.matchLog as Page<unknown>;

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
    operation: `{ recentListings { ${listing} } }`,
    answer: field('recentListings'),
  },
  {
    method: 'GET',
    path: '/listings',
    summary: "An alert's listings, the newest match first; the Link header leads to older ones",
    tag: 'Listings',
    operation: `query ($alertId: ID!, $first: Int = 100, $after: String) {
      matches(alertId: $alertId, first: $first, after: $after) { nodes { listing { ${listing} } } endCursor hasMore }
    }`,
    query: { alertId: 'alertId', first: 'first', after: 'after' },
    answer: listingsOfPage,
    next: (data) => (pageOf(data).hasMore ? pageOf(data).endCursor : null),
    failures: ['NOT_FOUND', 'CONFLICT'],
  },
  {
    method: 'GET',
    path: '/matches/export',
    summary: 'All matches, the oldest first, one JSON text a line; `after` goes on from the cursor of any line',
    tag: 'Listings',
    operation: `query ($alertId: ID, $after: String) {
      matchLog(alertId: $alertId, after: $after, first: 100) { nodes { ${matchLine} } endCursor hasMore }
    }`,
    query: { alertId: 'alertId', after: 'after' },
    answer: { of: (data) => logOf(data).nodes, schema: (at) => at('matchLog.nodes') },
    next: (data) => (logOf(data).hasMore ? logOf(data).endCursor : null),
    lines: true,
    failures: ['PLAN_REQUIRED', 'NOT_FOUND', 'CONFLICT'],
  },
  {
    method: 'PATCH',
    path: '/listings/{id}/view',
    summary: 'Note that the user has looked at a listing',
    tag: 'Listings',
    operation: `mutation ($id: ID!) { markListingViewed(id: $id) { ${listing} } }`,
    answer: sentence('The listing is marked as viewed.', { listing: 'markListingViewed' }),
  },
];
