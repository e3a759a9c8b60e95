import {
  type ApolloCache,
  type Cache,
  type FieldFunctionOptions,
  InMemoryCache,
  isReference,
  type Reference,
  type StoreObject,
} from '@apollo/client';
import { Kind } from 'graphql';
import { takeFirstAnswer } from './first-data.ts';

interface StoredPage {
  nodes: Reference[];
  endCursor: string | null;
  liveCursor?: string;
  hasMore: boolean;
}

/**
 * Appends older pages. A page fetched without `after` replaces the head of the list and keeps the rest below it. It
 * replaces the whole list if the two don't overlap, or if a match is missing from the head: it was hidden or moved, and
 * then the last match of the page may have moved as well, so the rest can't be joined to it.
 */
function mergePages(
  existing: StoredPage | undefined,
  incoming: StoredPage,
  { args, readField }: FieldFunctionOptions,
): StoredPage {
  // A stored list that was cut has no place at which older matches could be joined to it.
  if (existing === undefined || (existing.hasMore && existing.endCursor === null)) return incoming;
  const idOf = (node: Reference) => node.__ref ?? `${String(readField('matchedAt', node))}`;
  if (!args?.after) {
    if (!incoming.hasMore) return incoming;
    const last = incoming.nodes.at(-1);
    const seam = last === undefined ? -1 : existing.nodes.findIndex((node) => idOf(node) === idOf(last));
    const head = new Set(incoming.nodes.map(idOf));
    const isWhole = existing.nodes.slice(0, seam + 1).every((node) => head.has(idOf(node)));
    if (seam === -1 || seam === existing.nodes.length - 1 || !isWhole) return incoming;
    const below = existing.nodes.slice(seam + 1).filter((node) => !head.has(idOf(node)));
    const { endCursor, hasMore } = existing;
    return { ...incoming, endCursor, hasMore, nodes: [...incoming.nodes, ...below] };
  }
  const known = new Set(existing.nodes.map(idOf));
  const older = incoming.nodes.filter((node) => !known.has(idOf(node)));
  return { ...existing, ...incoming, liveCursor: existing.liveCursor, nodes: [...existing.nodes, ...older] };
}

/** The cache id of a match: the pair of an alert and a listing. */
export function matchId(match: { alert: { id: string }; listing: { id: string } }): string {
  return `Match:${match.alert.id}:${match.listing.id}`;
}

/** Removes a deleted alert and its matches from every list. */
export function evictAlert(cache: ApolloCache, alertId: string): void {
  cache.modify({
    fields: {
      matches(page: StoredPage | Reference) {
        if (isReference(page)) return page;
        const nodes = page.nodes.filter((node) => !node.__ref.startsWith(`Match:${alertId}:`));
        return nodes.length === page.nodes.length ? page : { ...page, nodes };
      },
    },
  });
  cache.evict({ id: `Alert:${alertId}` });
  cache.gc();
}

/** Evicts the root query's fields, except for these. */
export function evictAllExcept(cache: ApolloCache, kept: ReadonlySet<string>): void {
  cache.modify({
    id: 'ROOT_QUERY',
    fields: (value: unknown, { fieldName, DELETE }) =>
      fieldName === '__typename' || kept.has(fieldName) ? value : DELETE,
  });
  cache.gc();
}

function hasId(value: unknown): value is { id: string } {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string';
}

/** A list that is fetched again replaces the former one; only pages after a cursor are appended. */
function mergeOlder(existing: StoredPage | undefined, incoming: StoredPage, options: FieldFunctionOptions): StoredPage {
  return mergePages(options.args?.after ? existing : undefined, incoming, options);
}

/** Only the newest matches have their head replaced; in a list that is sorted otherwise or filtered, any row may have moved. */
function mergeMatches(
  existing: StoredPage | undefined,
  incoming: StoredPage,
  options: FieldFunctionOptions,
): StoredPage {
  return (options.args?.sort || options.args?.only ? mergeOlder : mergePages)(existing, incoming, options);
}

/** Gives an answer that came with the page, once. */
export type TakeAnswer = (name: string, variables: unknown) => Record<string, unknown> | undefined;

/** Writes what came with the page when its operation is first read, so that the page is drawn with it at once. */
function withFirstData(cache: InMemoryCache, take: TakeAnswer): InMemoryCache {
  const diff = cache.diff.bind(cache) as (options: Cache.DiffOptions) => unknown;
  const diffAfter = (options: Cache.DiffOptions) => {
    const [operation] = options.query.definitions;
    if (operation?.kind === Kind.OPERATION_DEFINITION && operation.name) {
      const result = take(operation.name.value, options.variables);
      // Nobody is told while something is drawn: nothing else shows these fields yet.
      if (result) cache.write({ ...options, dataId: 'ROOT_QUERY', result, broadcast: false });
    }
    return diff(options);
  };
  cache.diff = diffAfter as InMemoryCache['diff'];
  return cache;
}

/** @param take where answers are that came with the page */
export function makeCache(take: TakeAnswer = takeFirstAnswer): InMemoryCache {
  const cache = new InMemoryCache({
    typePolicies: {
      Query: {
        fields: {
          matches: { keyArgs: ['alertId', 'sort', 'only'], merge: mergeMatches },
          alert: {
            read: (found: Reference | null | undefined, { args, toReference }) =>
              // null is a valid answer for an alert that does not exist.
              found === undefined ? toReference({ __typename: 'Alert', id: String(args?.id) }) : found,
          },
          quarantine: { keyArgs: ['source', 'code'], merge: mergeOlder },
          unknownTexts: { keyArgs: false, merge: mergeOlder },
          auditLog: { keyArgs: false, merge: mergeOlder },
          notificationLog: { keyArgs: false, merge: mergeOlder },
          savedListings: { keyArgs: ['sort', 'only'], merge: mergeOlder },
          sourceHealth: { merge: false },
          alerts: { merge: false },
        },
      },
      Match: {
        // When a result is written, alert and listing may already be references, which only readField can read.
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
      SourceSettings: { keyFields: ['name'] },
    },
  });
  return withFirstData(cache, take);
}
