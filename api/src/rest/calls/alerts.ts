import { AppError } from '../../base/errors.ts';
import {
  type Answer,
  alert,
  alertOutcome,
  type Call,
  type Data,
  field,
  found,
  listing,
  matchLine,
  parts,
  sentence,
} from './call.ts';
import { csvListing, matchesCsv, savedCsv } from './csv-files.ts';

export const alertCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/alerts/user',
    summary: "The user's alerts, newest first",
    tag: 'Alerts',
    operation: `{ alerts { ${alert} } }`,
    answer: field('alerts'),
  },
  {
    method: 'GET',
    path: '/alerts/bulk',
    summary: "Up to 100 of the user's alerts by id; ids that don't exist are left out",
    tag: 'Alerts',
    operation: `query ($ids: [ID!]!) { alerts(ids: $ids) { ${alert} } }`,
    query: { ids: 'ids' },
    answer: field('alerts'),
  },
  {
    method: 'POST',
    path: '/alerts/bulk',
    summary: 'Create up to 100 alerts; each succeeds or fails on its own',
    tag: 'Alerts',
    operation: `mutation ($alerts: [AlertInput!]!) { createAlerts(alerts: $alerts) { ${alertOutcome} } }`,
    answer: parts({}, { results: 'createAlerts' }),
    failures: ['PLAN_REQUIRED', 'CONFLICT'],
    guarded: true,
    once: true,
  },
  {
    method: 'PATCH',
    path: '/alerts/bulk',
    summary: 'Change up to 100 alerts; each succeeds or fails on its own',
    tag: 'Alerts',
    operation: `mutation ($alerts: [AlertChange!]!) { updateAlerts(alerts: $alerts) { ${alertOutcome} } }`,
    answer: parts({}, { results: 'updateAlerts' }),
    failures: ['PLAN_REQUIRED'],
    guarded: true,
  },
  {
    method: 'GET',
    path: '/alerts/{id}',
    summary: "One of the user's alerts",
    tag: 'Alerts',
    operation: `query ($id: ID!) { alert(id: $id) { ${alert} } }`,
    answer: found('alert', () => new AppError('NOT_FOUND', 'Alert not found')),
  },
  {
    method: 'POST',
    path: '/alerts',
    summary: 'Create an alert; listings of the last 14 days are matched too',
    tag: 'Alerts',
    operation: `mutation ($input: AlertInput!) { createAlert(input: $input) { ${alert} } }`,
    status: 201,
    answer: field('createAlert'),
    failures: ['PLAN_LIMIT', 'PLAN_REQUIRED', 'CONFLICT', 'NOT_CONFIGURED'],
    guarded: true,
    once: true,
  },
  {
    method: 'PATCH',
    path: '/alerts/{id}',
    summary: 'Change an alert, or turn it on or off',
    tag: 'Alerts',
    operation: `mutation ($id: ID!, $input: AlertPatch!) { updateAlert(id: $id, input: $input) { ${alert} } }`,
    answer: field('updateAlert'),
    failures: ['PLAN_LIMIT', 'PLAN_REQUIRED', 'NOT_CONFIGURED'],
    guarded: true,
  },
  {
    method: 'DELETE',
    path: '/alerts/{id}',
    summary: 'Delete an alert and its matches',
    tag: 'Alerts',
    operation: 'mutation ($id: ID!) { deleteAlert(id: $id) }',
    answer: sentence('The alert is deleted.', { id: 'deleteAlert' }),
  },
  {
    method: 'POST',
    path: '/alerts/{id}/notify',
    summary: "Send the user a sample of an alert's mail",
    tag: 'Alerts',
    operation: 'mutation ($id: ID!) { sendTestNotification(alertId: $id) { message } }',
    answer: field('sendTestNotification'),
    failures: ['VALIDATION'],
  },
];

interface Page<T> {
  nodes: T[];
  endCursor: string | null;
  hasMore: boolean;
}

const pageOf = (data: Data) => data.matches as Page<{ listing: unknown }>;
const savedOf = (data: Data) => data.savedListings as Page<unknown>;
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
    summary: "An alert's listings, newest match first unless sorted otherwise; the Link header leads to further ones",
    tag: 'Listings',
    operation: `query ($alertId: ID!, $first: Int = 100, $after: String, $sort: ListSort, $only: [ListFilter!]) {
      matches(alertId: $alertId, first: $first, after: $after, sort: $sort, only: $only) {
        nodes { listing { ${listing} } } endCursor hasMore
      }
    }`,
    query: { alertId: 'alertId', first: 'first', after: 'after', sort: 'sort', only: 'only' },
    answer: listingsOfPage,
    next: (data) => (pageOf(data).hasMore ? pageOf(data).endCursor : null),
    failures: ['NOT_FOUND', 'CONFLICT'],
  },
  {
    method: 'GET',
    path: '/matches/export',
    summary: 'All matches, oldest first, as newline-delimited JSON, continued after the cursor of any line',
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
    method: 'GET',
    path: '/listings/export',
    summary: "An alert's listings as a CSV file, sorted and filtered as asked; 30 files an hour",
    tag: 'Listings',
    operation: `query ($alertId: ID!, $after: String, $sort: ListSort, $only: [ListFilter!]) {
      matches(alertId: $alertId, first: 100, after: $after, sort: $sort, only: $only) {
        nodes { matchedAt distance listing { ${csvListing} } } endCursor hasMore
      }
    }`,
    query: { alertId: 'alertId', after: 'after', sort: 'sort', only: 'only' },
    answer: { of: (data) => pageOf(data).nodes, schema: () => ({ type: 'string' }) },
    next: (data) => (pageOf(data).hasMore ? pageOf(data).endCursor : null),
    csv: matchesCsv,
    failures: ['NOT_FOUND', 'CONFLICT'],
  },
  {
    method: 'GET',
    path: '/listings/saved/export',
    summary: "The user's saved cars as a CSV file, sorted and filtered as asked; 30 files an hour",
    tag: 'Listings',
    operation: `query ($after: ID, $sort: ListSort, $only: [ListFilter!]) {
      savedListings(first: 100, after: $after, sort: $sort, only: $only) {
        nodes { savedAt listing { ${csvListing} } } endCursor hasMore
      }
    }`,
    query: { after: 'after', sort: 'sort', only: 'only' },
    answer: { of: (data) => savedOf(data).nodes, schema: () => ({ type: 'string' }) },
    next: (data) => (savedOf(data).hasMore ? savedOf(data).endCursor : null),
    csv: savedCsv,
  },
  {
    method: 'GET',
    path: '/listings/{id}/text',
    summary: 'What the seller wrote, and where each fact of the listing was read',
    tag: 'Listings',
    operation: `query ($id: ID!) {
      sellerText(listingId: $id) { description factsRead { fact value from words } } }`,
    answer: field('sellerText'),
  },
  {
    method: 'PATCH',
    path: '/listings/{id}/view',
    summary: 'Record that the user has viewed a listing',
    tag: 'Listings',
    operation: `mutation ($id: ID!) { markListingViewed(id: $id) { ${listing} } }`,
    answer: sentence('The listing is marked as viewed.', { listing: 'markListingViewed' }),
  },
];
