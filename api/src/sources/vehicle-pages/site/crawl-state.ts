/** A page that is to be read, in the order of the list. */
export interface ListedPage {
  url: string;
  /** When it was changed, as the sitemap says. */
  changedAt: Date | null;
}

/** The next page, with what an earlier read knows of it. */
export interface NextPage {
  url: string;
  etag: string | null;
  lastModified: string | null;
  /** Whether it had a car when the read began. */
  hadCars: boolean;
  /** How often it failed in this read. */
  tries: number;
}

/** How a page answered. `ids` are those of all its cars, those that are another page's too. */
export type PageOutcome =
  | { kind: 'read'; ids: readonly string[]; etag: string | null; lastModified: string | null }
  | { kind: 'unchanged' | 'gone' | 'failed' };

/** How far a read has come. */
export interface PageCounts {
  all: number;
  /** Pages that have answered, or need not be asked. */
  read: number;
  /** Those of them that have a car. */
  withCars: number;
  /** Those that had a car when the read began. */
  hadCars: number;
  /** Pages that no longer exist and had a car. */
  gone: number;
  /** Pages that are still there, had a car and have none now. */
  lost: number;
  /** Pages that could not be read. */
  failed: number;
}

/** The pages of a site in one read, and how far it has come. */
export interface CrawlState {
  /** Drops what is known of all pages, as the source is another one now. */
  forget(): Promise<void>;
  /** The addresses of the pages that have cars. */
  withCars(): Promise<ReadonlySet<string>>;
  /** Begins a read of these pages. */
  list(pages: readonly ListedPage[]): Promise<void>;
  /** The first page that is not read; null when all are, or were tried three times. */
  next(): Promise<NextPage | null>;
  /** Those of the ids that another page shows better: one with fewer cars, or the first of equal ones. */
  ownedElsewhere(url: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  record(url: string, outcome: PageOutcome): Promise<void>;
  counts(): Promise<PageCounts>;
  /** The ids of all cars that the pages show, and of those whose page is gone. */
  ids(): Promise<{ present: ReadonlySet<string>; gone: ReadonlySet<string> }>;
}

/** The crawl of a source that is only tried: it knows nothing of earlier reads and stores nothing. */
export function trialCrawl(): CrawlState {
  let waiting: string[] = [];
  const counts: PageCounts = { all: 0, read: 0, withCars: 0, hadCars: 0, gone: 0, lost: 0, failed: 0 };
  return {
    forget: () => Promise.resolve(),
    withCars: () => Promise.resolve(new Set<string>()),
    list(pages) {
      waiting = pages.map(({ url }) => url);
      counts.all = waiting.length;
      return Promise.resolve();
    },
    next() {
      const url = waiting.shift();
      return Promise.resolve(
        url === undefined ? null : { url, etag: null, lastModified: null, hadCars: false, tries: 0 },
      );
    },
    ownedElsewhere: () => Promise.resolve(new Set<string>()),
    record(_url, outcome) {
      if (outcome.kind === 'failed') counts.failed++;
      else counts.read++;
      if (outcome.kind === 'read' && outcome.ids.length > 0) counts.withCars++;
      return Promise.resolve();
    },
    counts: () => Promise.resolve({ ...counts }),
    ids: () => Promise.resolve({ present: new Set<string>(), gone: new Set<string>() }),
  };
}
