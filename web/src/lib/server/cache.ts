import { type FieldFunctionOptions, InMemoryCache, type Reference, type StoreObject } from '@apollo/client';

interface StoredPage {
  nodes: Reference[];
  endCursor: string | null;
  liveCursor?: string;
  hasMore: boolean;
}

/** Older pages are appended; a page asked for without `after` starts the list anew. */
function mergePages(
  existing: StoredPage | undefined,
  incoming: StoredPage,
  { args, readField }: FieldFunctionOptions,
): StoredPage {
  if (existing === undefined || !args?.after) return incoming;
  const idOf = (node: Reference) => node.__ref ?? `${String(readField('matchedAt', node))}`;
  const known = new Set(existing.nodes.map(idOf));
  const older = incoming.nodes.filter((node) => !known.has(idOf(node)));
  return { ...existing, ...incoming, liveCursor: existing.liveCursor, nodes: [...existing.nodes, ...older] };
}

/** A match has no id of its own: it is the pair of an alert and a listing. */
export function matchId(match: { alert: { id: string }; listing: { id: string } }): string {
  return `Match:${match.alert.id}:${match.listing.id}`;
}

function hasId(value: unknown): value is { id: string } {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}

export function makeCache(): InMemoryCache {
  return new InMemoryCache({
    typePolicies: {
      Query: {
        fields: {
          matches: { keyArgs: ['alertId'], merge: mergePages },
          alert: {
            read: (found: Reference | null | undefined, { args, toReference }) =>
              // null is an answer: there is no such alert.
              found === undefined ? toReference({ __typename: 'Alert', id: String(args?.id) }) : found,
          },
          quarantine: { keyArgs: ['source', 'code'], merge: mergePages },
          sourceHealth: { merge: false },
          alerts: { merge: false },
          recentListings: { merge: false },
        },
      },
      Match: {
        // While a result is written the alert and listing are references already: only readField reads both.
        keyFields: (match, { readField }) => {
          const idOf = (name: string) => readField<string>('id', readField<StoreObject | Reference>(name, match));
          const alert = { id: idOf('alert') };
          const listing = { id: idOf('listing') };
          return hasId(alert) && hasId(listing) ? matchId({ alert, listing }) : false;
        },
      },
      Site: { keyFields: [] },
      Catalogue: { keyFields: [] },
      CanCreateAlert: { keyFields: [] },
      CurrentSubscription: { keyFields: [] },
      CatalogueMake: { keyFields: false },
      CatalogueOption: { keyFields: false },
      SourceHealth: { keyFields: ['name'] },
    },
  });
}
