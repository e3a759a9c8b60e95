import { AppError } from '../../../base/errors.ts';
import { storableText } from '../../../domain/facts/listing-facts.ts';
import { WebFetchError } from '../../../vendors/web-fetch-guard.ts';
import { wholeText } from '../../decode-body.ts';
import type { ReadEnd, RecordPage, RequestDeps, RequestSource, StoredPage } from '../../kinds/source-kind.ts';
import { idOf } from '../../source-page.ts';
import { readVehiclePage } from '../read-vehicle-page.ts';
import type { VehiclePagesSettings } from '../vehicle-pages-settings.ts';
import { type CrawlState, type NextPage, type PageCounts, trialCrawl } from './crawl-state.ts';
import { listPages } from './list-pages.ts';
import { type SiteAnswer, SiteRequests, WaitForSite } from './site-requests.ts';
import { StoredCrawl } from './stored-crawl.ts';

const PAGE_BYTES = 5 * 1024 * 1024;
/** After so many pages without a car the site is refused. */
const PAGES_WITHOUT_CARS = 20;
/** In the seconds of a trial. */
const TRIED_WITHOUT_CARS = 8;
/** A read lets other sources have their turn after this time. */
const SLICE_MS = 45_000;
/** A longer wait is left to the next claim of the source, so that others are read meanwhile. */
const PAGE_WAIT_MS = 10_000;
/** The sitemaps are read in one claim, as what was read of them is not stored. */
const LIST_WAIT_MS = 120_000;
const FAULTS_IN_A_ROW = 5;
const REFUSALS_IN_A_ROW = 3;
/** What a site that says "too many requests" without a time is given. */
const REFUSED_SECONDS = 60;
/** With so many pages gone at once, and more than half, the site may be under repair: two reads decide, as for others. */
const GONE_AT_ONCE = 10;
const FEW = 3;

interface Cursor {
  /** The number of the read. */
  round: number;
  /** Whether its pages are listed. */
  listed: boolean;
  /** Pages above `maxPages`. */
  left: number;
  /** How often in a row the site has refused. */
  refusals: number;
}

function cursorOf(stored: Readonly<Record<string, unknown>>): { cursor: Cursor; isFirst: boolean } {
  const number = (name: string) => (typeof stored[name] === 'number' ? stored[name] : 0);
  const goesOn = stored.listed === true;
  return {
    cursor: {
      round: number('round') + (goesOn ? 0 : 1),
      listed: goesOn,
      left: goesOn ? number('left') : 0,
      refusals: number('refusals'),
    },
    isFirst: number('round') === 0,
  };
}

const isRefusal = (error: unknown): error is WebFetchError =>
  error instanceof WebFetchError && (error.status === 429 || error.status === 503);
const isGone = (error: unknown) => error instanceof WebFetchError && (error.status === 404 || error.status === 410);
const isHtml = (contentType: string | null) => contentType === null || /html|xml|text\/plain/i.test(contentType);

async function htmlOf(answer: SiteAnswer['answer']): Promise<string> {
  if (answer.status === 'unchanged') return '';
  try {
    return isHtml(answer.contentType) ? await wholeText(answer) : '';
  } finally {
    await answer.body.close();
  }
}

const tooLarge = (url: string) =>
  new AppError('MALFORMED', `${new URL(url).pathname} has too many elements, or they nest too deep.`);
const nothingRead = (lastFault: string) =>
  new AppError('MALFORMED', `no page could be read: ${lastFault || 'see the log'}`);
const noCars = (counts: PageCounts) =>
  new AppError(
    'MALFORMED',
    `none of the first ${counts.read} pages has a car in schema.org markup (Car or Vehicle, with an Offer). ` +
      'Say what the addresses of the cars begin with (include), or ask the dealer for such markup or for a feed.',
  );
const markupIsGone = (counts: PageCounts) =>
  new AppError(
    'MALFORMED',
    `the site has changed: ${counts.withCars} of ${counts.read} pages have a car in their markup, and ${counts.hadCars} had one before. ` +
      'No car is taken as sold because of this.',
  );

/** One read of a site, or what is left of one that broke off. */
class SiteRead {
  private readonly source: RequestSource<VehiclePagesSettings>;
  private readonly deps: RequestDeps;
  private readonly cursor: Cursor;
  private readonly isFirst: boolean;
  private readonly isTrial: boolean;
  private readonly crawl: CrawlState;
  private readonly site: SiteRequests;
  private faults = 0;
  private lastFault = '';

  constructor(source: RequestSource<VehiclePagesSettings>, deps: RequestDeps) {
    const { site, sitemap, pages } = source.settings;
    const { cursor, isFirst } = cursorOf(source.cursor);
    this.source = source;
    this.deps = deps;
    this.cursor = cursor;
    this.isFirst = isFirst;
    this.isTrial = deps.sampleSize !== undefined;
    this.crawl = this.isTrial ? trialCrawl() : new StoredCrawl(deps.pool, source.name, cursor.round, deps.inClaim);
    this.site = new SiteRequests(new URL(site ?? sitemap ?? pages?.[0] ?? '').origin, deps);
    this.site.longestWaitMs = cursor.listed ? PAGE_WAIT_MS : LIST_WAIT_MS;
  }

  private async list(): Promise<void> {
    // A list without pages can't be read, so it is made again.
    if (this.cursor.listed && (await this.crawl.counts()).all > 0) return;
    this.site.longestWaitMs = LIST_WAIT_MS;
    if (this.isFirst) await this.crawl.forget();
    const { pages, left } = await listPages(this.site, this.source.settings, await this.crawl.withCars());
    await this.crawl.list(pages);
    this.site.longestWaitMs = PAGE_WAIT_MS;
    this.cursor.listed = true;
    this.cursor.left = left;
    await this.deps.saveCursor(this.cursor);
  }

  /** The records of a page that no other page shows better, and the ids of all of them; null when it can't be read whole. */
  private async read(listed: NextPage, html: string, at: string) {
    const { url } = listed;
    // A page that ends its reader is left after as many tries as one that can't be fetched.
    if (!this.isTrial) await this.crawl.record(url, { kind: 'failed' });
    const { gazetteer, now } = this.deps;
    const page = readVehiclePage(html, at, this.source.settings.place ?? null, { gazetteer, now: now() });
    if (page.isCut) {
      await this.fail(listed, tooLarge(url), !this.isTrial);
      return null;
    }
    const ids = [...new Set(page.records.flatMap((record) => storableText(idOf(record) ?? '') || []))];
    const owned = ids.length > 0 ? await this.crawl.ownedElsewhere(url, ids) : new Set();
    const records = page.records.filter((record) => !owned.has(storableText(idOf(record) ?? '')));
    return { ids, records, bytes: html.length };
  }

  /**
   * Counts a page that could not be read.
   * @param isCounted whether it is already, as it was fetched
   * @throws the fault, when so many in a row mean that the site is the cause
   */
  private async fail({ url, tries }: NextPage, error: unknown, isCounted = false): Promise<void> {
    const isOfPage = error instanceof AppError || (error instanceof WebFetchError && !isRefusal(error));
    if (!isOfPage) throw error;
    if (!isCounted) await this.crawl.record(url, { kind: 'failed' });
    this.lastFault = error.message;
    // A page that leads elsewhere, or failed before, says nothing about the others.
    if (error instanceof WebFetchError && tries === 0 && ++this.faults >= FAULTS_IN_A_ROW) throw error;
  }

  private async answered(): Promise<void> {
    this.faults = 0;
    if (this.cursor.refusals === 0) return;
    this.cursor.refusals = 0;
    await this.deps.saveCursor(this.cursor);
  }

  /** Fetches a page. @returns its text and validators; null where the answer has none, and is recorded */
  private async fetch(page: NextPage) {
    try {
      const { etag, lastModified } = page;
      const { answer, url } = await this.site.get(page.url, { etag, lastModified, maxBytes: PAGE_BYTES });
      const html = await htmlOf(answer);
      await this.answered();
      if (answer.status === 'ok') return { html, url, etag: answer.etag, lastModified: answer.lastModified };
      await this.crawl.record(page.url, { kind: 'unchanged' });
    } catch (error) {
      if (isGone(error)) {
        await this.answered();
        await this.crawl.record(page.url, { kind: 'gone' });
      } else if (isRefusal(error) || error instanceof WaitForSite) throw error;
      else await this.fail(page, error);
    }
    return null;
  }

  /** Lets the next read list and read all pages again, as this one can't say which cars there are. @throws the fault */
  private async beginAgain(fault: AppError): Promise<never> {
    await this.deps.saveCursor({ round: this.cursor.round - 1 });
    throw fault;
  }

  private async checkForCars(): Promise<void> {
    const counts = await this.crawl.counts();
    const isEnd = counts.read + counts.failed >= counts.all;
    if (counts.withCars > 0 || (counts.read < (this.isTrial ? TRIED_WITHOUT_CARS : PAGES_WITHOUT_CARS) && !isEnd))
      return;
    if (counts.read === 0) await this.beginAgain(nothingRead(this.lastFault));
    if (counts.hadCars === 0) await this.beginAgain(noCars(counts));
    // The last cars of a small dealer may be sold on one day.
    if (counts.hadCars - counts.gone >= FEW) await this.beginAgain(markupIsGone(counts));
  }

  async *pages(): AsyncGenerator<RecordPage, ReadEnd, StoredPage> {
    const started = this.deps.now().getTime();
    let unchecked = true;
    try {
      await this.site.readRobots();
      await this.list();
      for (let page = await this.crawl.next(); page; page = await this.crawl.next()) {
        const fetched = await this.fetch(page);
        const read = fetched && (await this.read(page, fetched.html, fetched.url));
        if (read) {
          const { ids, records, bytes } = read;
          const { etag, lastModified } = fetched;
          if (records.length > 0) yield recordPage(records, bytes, this.deps.now());
          await this.crawl.record(page.url, { kind: 'read', ids, etag, lastModified });
        }
        if (unchecked) {
          await this.checkForCars();
          unchecked = (await this.crawl.counts()).withCars === 0;
        }
        if (!this.isTrial && this.deps.now().getTime() - started > SLICE_MS) return this.pause(0, null);
      }
      return await this.end();
    } catch (error) {
      if (error instanceof WaitForSite && this.isTrial) throw new AppError('MALFORMED', error.message);
      if (error instanceof WaitForSite) return this.pause(error.seconds, null);
      if (isRefusal(error) && !this.isTrial) return await this.refused(error);
      throw error;
    }
  }

  private pause(seconds: number, remark: string | null): ReadEnd {
    return { cursor: this.cursor, complete: false, againInSeconds: seconds, remark };
  }

  /** Waits as long as a site asks for. @throws the refusal, the third time in a row */
  private async refused(error: WebFetchError): Promise<ReadEnd> {
    const seconds = Math.max(1, error.retryAfterSeconds ?? REFUSED_SECONDS * 2 ** this.cursor.refusals);
    await this.site.holdOff(seconds);
    this.cursor.refusals++;
    if (this.cursor.refusals >= REFUSALS_IN_A_ROW) {
      this.cursor.refusals = 0;
      const page = this.cursor.listed ? await this.crawl.next() : null;
      if (page) await this.crawl.record(page.url, { kind: 'failed' });
      await this.deps.saveCursor(this.cursor);
      throw error;
    }
    return this.pause(seconds, `${error.message} The read goes on in ${seconds} s.`);
  }

  private async end(): Promise<ReadEnd> {
    await this.checkForCars();
    const counts = await this.crawl.counts();
    if (counts.lost >= GONE_AT_ONCE && counts.lost > counts.hadCars / 2) await this.beginAgain(markupIsGone(counts));
    const { present, gone } = await this.crawl.ids();
    const isUnderRepair = counts.gone >= GONE_AT_ONCE && counts.gone > counts.hadCars / 2;
    const remarks = [
      counts.failed > 0 &&
        `${counts.failed} of ${counts.all} pages could not be read: ${this.lastFault || 'see the log'}`,
      isUnderRepair && `${counts.gone} of ${counts.hadCars} pages with cars are gone at once.`,
      this.cursor.left > 0 &&
        `The site lists ${this.cursor.left + counts.all} pages, of which ${counts.all} are read: raise maxPages, or narrow include.`,
    ].filter((remark) => remark !== false);
    return {
      cursor: { round: this.cursor.round },
      complete: true,
      present,
      ...(!isUnderRepair && { gone }),
      remark: remarks.length > 0 ? remarks.join(' ') : null,
    };
  }
}

function recordPage(
  records: readonly ReturnType<typeof readVehiclePage>['records'][number][],
  bytes: number,
  seenAt: Date,
) {
  return {
    async *records() {
      yield* records;
    },
    bytes,
    seenAt,
    close: () => Promise.resolve(),
  };
}

/**
 * Reads the pages of a site one by one, at most one a second. The state of its crawl says which pages are left, so that
 * a read that was interrupted goes on there.
 */
export const readSite = (
  source: RequestSource<VehiclePagesSettings>,
  deps: RequestDeps,
): AsyncGenerator<RecordPage, ReadEnd, StoredPage> => new SiteRead(source, deps).pages();
