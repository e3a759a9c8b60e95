import robotsParser from 'robots-parser';
import type { Queryable } from '../../../base/database.ts';
import { AppError } from '../../../base/errors.ts';
import type { FetchPage } from '../../../vendors/web-fetch.ts';
import { WebFetchError } from '../../../vendors/web-fetch-guard.ts';
import { wholeText } from '../../decode-body.ts';
import type { RequestDeps } from '../../kinds/source-kind.ts';
import { boundedRobots } from './bounded-robots.ts';

interface Robots {
  isAllowed(url: string, robot: string): boolean | undefined;
  getCrawlDelay(robot: string): number | undefined;
  getSitemaps(): string[];
}
/** The package's own types miss that it is a function. */
const parseRobots = robotsParser as unknown as (url: string, text: string) => Robots;

const ROBOT = 'LotWatch';
const MAX_DELAY_SECONDS = 60;
/** At most one request a second, whatever robots.txt allows. */
const MIN_DELAY_MS = 1_000;
const ROBOTS_BYTES = 128 * 1024;
const MAX_REDIRECTS = 5;

/** The next request may be sent only after a longer wait. */
export class WaitForSite extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super(`The site is being read, and our next request to it is due in ${seconds} s: try again then.`);
    this.seconds = seconds;
  }
}

/** The site of an address: its host, as `www.` is the same site. Two sources of one site share its turns. */
export const siteOf = (url: URL): string => url.host.replace(/^www\./, '');

type Answer = Awaited<ReturnType<FetchPage>>;
export interface SiteAnswer {
  answer: Answer;
  /** The address after redirects. */
  url: string;
}

async function waitMs(db: Queryable, site: string): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(
    `select greatest(0, extract(epoch from next_at - now()) * 1000)::float8 as ms from site_hosts where site = $1`,
    [site],
  );
  return rows[0]?.ms ?? 0;
}

/** Takes the site's next turn. @returns milliseconds until it */
async function takeTurn(db: Queryable, site: string, delayMs: number): Promise<number> {
  const { rows } = await db.query<{ ms: number }>(
    `insert into site_hosts as s (site, next_at) values ($1, now() + $2 * interval '1 ms')
     on conflict (site) do update set next_at = greatest(s.next_at, now()) + $2 * interval '1 ms'
     returning greatest(0, extract(epoch from next_at - now()) * 1000 - $2)::float8 as ms`,
    [site, delayMs],
  );
  return rows[0]?.ms ?? 0;
}

async function storedRobots(db: Queryable, site: string): Promise<{ origin: string | null; text: string } | null> {
  const { rows } = await db.query<{ origin: string | null; text: string }>(
    `select robots_origin as origin, robots as text from site_hosts
      where site = $1 and robots is not null and robots_at > now() - interval '1 hour'`,
    [site],
  );
  return rows[0] ?? null;
}

async function textOf(answer: Answer): Promise<string> {
  if (answer.status === 'unchanged') return '';
  try {
    return await wholeText(answer);
  } finally {
    await answer.body.close();
  }
}

/** The requests to one site: in turn with all other readers of the site, allowed by its robots.txt, and within the site. */
export class SiteRequests {
  /** A request whose turn is later than that is refused. */
  longestWaitMs = 0;
  private robots: Robots | null = null;
  private delayMs = MIN_DELAY_MS;
  private readonly site: string;
  private readonly origin: string;
  private readonly deps: RequestDeps;

  /** @param origin where robots.txt is asked for */
  constructor(origin: string, deps: RequestDeps) {
    this.origin = origin;
    this.site = siteOf(new URL(origin));
    this.deps = deps;
  }

  /** The sitemaps that robots.txt names. */
  get sitemaps(): string[] {
    return this.robots?.getSitemaps() ?? [];
  }

  isOfSite(url: URL): boolean {
    return siteOf(url) === this.site && (url.protocol === 'http:' || url.protocol === 'https:');
  }

  /** Whether robots.txt lets us read an address; it is asked as that of the site, with and without `www.`. */
  isAllowed(address: string): boolean {
    const url = new URL(address);
    return this.robots?.isAllowed(`${this.origin}${url.pathname}${url.search}`, ROBOT) ?? true;
  }

  /**
   * Reads robots.txt, at most once an hour for all sources of the site. Without one everything is allowed.
   * @throws WebFetchError when the site can't say what is allowed, AppError MALFORMED when it says too much: then nothing is
   *   read. Source: RFC 9309 §2.3.1
   */
  async readRobots(): Promise<void> {
    const { pool } = this.deps;
    const stored = await storedRobots(pool, this.site);
    const text = stored?.origin === this.origin ? stored.text : await this.fetchRobots();
    this.robots = parseRobots(`${this.origin}/robots.txt`, boundedRobots(text, ROBOT));
    const seconds = Math.min(this.robots.getCrawlDelay(ROBOT) ?? 0, MAX_DELAY_SECONDS);
    this.delayMs = Math.max(MIN_DELAY_MS, seconds * 1000);
  }

  private async fetchRobots(): Promise<string> {
    let text = '';
    try {
      const { answer } = await this.send(`${this.origin}/robots.txt`, { maxBytes: ROBOTS_BYTES });
      text = await textOf(answer);
    } catch (error) {
      const status = error instanceof WebFetchError ? error.status : null;
      if (status === null || status >= 500 || status === 429) throw error;
    }
    await this.deps.pool.query(
      'update site_hosts set robots = $2, robots_origin = $3, robots_at = now() where site = $1',
      [this.site, text.replaceAll('\u0000', ''), this.origin],
    );
    return text;
  }

  /** Lets nobody send a request to the site for a while, as it asked by Retry-After. */
  async holdOff(seconds: number): Promise<void> {
    await this.deps.pool.query(
      `update site_hosts set next_at = greatest(next_at, now() + $2 * interval '1 s') where site = $1`,
      [this.site, seconds],
    );
  }

  /** @throws WaitForSite when the turn is later than a reader should wait for */
  private async turn(): Promise<void> {
    const { pool, wait, signal } = this.deps;
    const ahead = await waitMs(pool, this.site);
    if (ahead > this.longestWaitMs) throw new WaitForSite(Math.ceil(ahead / 1000));
    const ms = await takeTurn(pool, this.site, this.delayMs);
    if (ms > 0) await wait(ms);
    signal?.throwIfAborted();
  }

  /**
   * Fetches an address of the site. Redirects within the site are followed, each in a turn of its own.
   * @throws WebFetchError; AppError MALFORMED for a redirect to another site or to what robots.txt forbids; WaitForSite
   */
  async get(address: string, more: { etag?: string | null; lastModified?: string | null; maxBytes?: number } = {}) {
    if (!this.isAllowed(address)) throw new AppError('MALFORMED', 'robots.txt forbids this page.');
    return this.send(address, more);
  }

  private async send(address: string, more: { etag?: string | null; lastModified?: string | null; maxBytes?: number }) {
    let url = new URL(address);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      await this.turn();
      try {
        const answer = await this.deps.request({
          ...more,
          url: url.href,
          redirect: 'manual',
          headers: { accept: 'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5' },
        });
        return { answer, url: url.href } satisfies SiteAnswer;
      } catch (error) {
        const to = error instanceof WebFetchError && error.location !== null ? URL.parse(error.location, url) : null;
        if (to === null) throw error;
        if (!this.isOfSite(to)) throw new AppError('MALFORMED', `${url.host} redirects to another site, ${to.host}.`);
        if (!this.isAllowed(to.href))
          throw new AppError('MALFORMED', 'robots.txt forbids where this page redirects to.');
        url = to;
      }
    }
    throw new WebFetchError('REDIRECT_LOOP', `${url.host} redirects more than ${MAX_REDIRECTS} times.`);
  }
}
