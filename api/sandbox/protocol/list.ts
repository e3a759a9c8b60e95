import { missingResource } from './stripe-error.ts';

interface Page {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
  created?: number | { gt?: number; gte?: number; lt?: number; lte?: number };
}

const isWithin = (at: number, wanted: Page['created']): boolean => {
  if (wanted === undefined) return true;
  if (typeof wanted === 'number') return at === wanted;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = wanted;
  return at > gt && at >= gte && at < lt && at <= lte;
};

/** A page of a list, newest first. @param oldestFirst what the filters left */
export function listOf<T extends { id: string; created?: number }>(url: string, oldestFirst: readonly T[], page: Page) {
  const { limit = 10, starting_after: after, ending_before: before } = page;
  const all = oldestFirst.filter(({ created }) => isWithin(created ?? 0, page.created)).reverse();
  const placeOf = (id: string, param: string): number => {
    const at = all.findIndex((one) => one.id === id);
    if (at < 0) throw missingResource('object', id, param);
    return at;
  };
  if (before !== undefined) {
    const end = placeOf(before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', url, has_more: start > 0, data: all.slice(start, end) };
  }
  const start = after === undefined ? 0 : placeOf(after, 'starting_after') + 1;
  return { object: 'list', url, has_more: start + limit < all.length, data: all.slice(start, start + limit) };
}
