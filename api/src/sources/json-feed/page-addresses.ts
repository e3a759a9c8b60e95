import { AppError } from '../../base/errors.ts';

/** How an API divides its items into pages. */
export type Paging =
  | { by: 'offset'; offset: string; limit?: string | undefined; size: number; start: number }
  | { by: 'page'; page: string; limit?: string | undefined; size: number; start: number }
  | { by: 'cursor'; next: string; parameter?: string | undefined; limit?: string | undefined; size: number };

export interface PagePosition {
  /** How many pages and items were read before. */
  pages: number;
  items: number;
  /** What the page before says about the next one. */
  next: string | null;
}

function ofCursor(start: URL, current: URL, next: string, parameter: string | undefined): URL {
  if (parameter !== undefined) {
    const url = new URL(start);
    url.searchParams.set(parameter, next);
    return url;
  }
  const url = URL.parse(next, current);
  if (!url) throw new AppError('MALFORMED', 'The address of the next page can not be read.');
  if (url.origin !== start.origin) {
    throw new AppError('MALFORMED', `The next page is at ${url.host}, but only ${start.host} is read.`);
  }
  return url;
}

/**
 * The address of the next page; null when there is none.
 * @param current the address of the page before
 * @throws AppError MALFORMED when the page before names an address elsewhere
 */
export function pageAddress(start: URL, current: URL, paging: Paging | undefined, at: PagePosition): URL | null {
  if (!paging) return at.pages === 0 ? start : null;
  const isFirst = at.pages === 0;
  if (paging.by === 'cursor' && !isFirst) {
    return at.next === null ? null : ofCursor(withLimit(start, paging), current, at.next, paging.parameter);
  }
  const url = withLimit(start, paging);
  if (paging.by === 'offset') url.searchParams.set(paging.offset, String(paging.start + at.items));
  if (paging.by === 'page') url.searchParams.set(paging.page, String(paging.start + at.pages));
  return url;
}

function withLimit(start: URL, { limit, size }: Paging): URL {
  const url = new URL(start);
  if (limit !== undefined) url.searchParams.set(limit, String(size));
  return url;
}
