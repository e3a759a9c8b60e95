import { cached } from '../base/cached.ts';
import type { Queryable } from '../base/database.ts';

interface OfSource {
  /** Name of the source. */
  source: string;
  /** The listing's own page; null where there is none. */
  url?: string | null;
}

/** Where 'View on Marketplace' leads: to the listing's own page, else to the home of its source's marketplace. */
export type MarketplaceUrl = (listing: OfSource) => string | Promise<string>;

/** How long a change of a source's settings may take to be seen. */
const CACHE_MS = 5_000;

async function readHomes(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ name: string; home: string | null }>(
    `select name, settings ->> 'marketplaceHome' as home from sources where settings ->> 'marketplaceHome' is not null`,
  );
  return new Map(rows.flatMap(({ name, home }) => (home === null ? [] : [[name, home] as const])));
}

/** @param fallback for a source whose settings name no marketplace */
export function makeMarketplaceUrl(db: Queryable, fallback: string): MarketplaceUrl {
  const homes = cached(() => readHomes(db), CACHE_MS);
  return ({ source, url }) => {
    // Only web addresses become links, whatever the listing contains.
    if (url && /^https?:\/\//i.test(url)) return url;
    return homes().then((known) => known.get(source) ?? fallback);
  };
}
