import { type ApolloCache, isReference, type Reference } from '@apollo/client';
import { matchId } from '../lib/server/client/cache.ts';

interface Arrived {
  alert: { id: string };
  listing: { id: string };
}

interface StoredPage {
  nodes: readonly Reference[];
}

function withFirst(list: readonly Reference[], ref: Reference): readonly Reference[] {
  return list.some((entry) => entry.__ref === ref.__ref) ? list : [ref, ...list];
}

function argumentsOfList(storeFieldName: string): object {
  const args = storeFieldName.slice('matches:'.length);
  const parsed: unknown = args.startsWith('{') ? JSON.parse(args) : null;
  return typeof parsed === 'object' && parsed !== null ? parsed : {};
}

/** The alert of a stored `matches` list; null for the list over all alerts. */
export function alertOfList(storeFieldName: string): string | null {
  const args = argumentsOfList(storeFieldName);
  return 'alertId' in args && typeof args.alertId === 'string' ? args.alertId : null;
}

/** Whether a stored list is sorted otherwise than newest first, or filtered: then nobody but the server knows the place of a match. */
function isChosen(storeFieldName: string): boolean {
  const args = argumentsOfList(storeFieldName);
  return 'sort' in args || 'only' in args;
}

/** Evicts all lists except those of these alerts; null stands for the list of all alerts. */
export function evictListsExcept(cache: ApolloCache, kept: ReadonlySet<string | null>): void {
  cache.modify({
    fields: {
      matches: (page: unknown, { storeFieldName, DELETE }) => (kept.has(alertOfList(storeFieldName)) ? page : DELETE),
    },
  });
}

/**
 * Puts matches that are already in the cache as entities at the head of the lists that show them, newest first.
 * A pair that is already in a list keeps its place, so a repeated match changes nothing.
 * `matches` is ordered oldest first.
 */
export function addToLists(cache: ApolloCache, matches: readonly Arrived[]): void {
  cache.modify({
    fields: {
      matches(page: StoredPage | Reference, { storeFieldName, toReference }) {
        if (isReference(page) || isChosen(storeFieldName)) return page;
        const alertId = alertOfList(storeFieldName);
        let nodes = page.nodes;
        for (const match of matches) {
          const ref = toReference(matchId(match));
          if (ref && (alertId === null || alertId === match.alert.id)) nodes = withFirst(nodes, ref);
        }
        return nodes === page.nodes ? page : { ...page, nodes };
      },
    },
  });
}
