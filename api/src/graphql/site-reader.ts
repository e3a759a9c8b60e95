import { cached } from '../base/cached.ts';
import type { Pool } from '../base/database.ts';
import { readSourceFreshness, type SourceFreshness } from '../sources/read-source-status.ts';

export interface SiteSettings {
  testMode: boolean;
  confirmEmail: boolean;
  supportEmail: string;
  marketplaceHome: string;
  checkEverySeconds: number;
}

export interface SiteFigures extends SourceFreshness {
  carsSeenLastHour: number;
  medianSecondsToMail: number | null;
}

export interface SiteReader {
  settings: SiteSettings;
  figures(): Promise<SiteFigures>;
  /** Yields the figures now and whenever they change; one timer serves all subscribers. */
  follow(): AsyncIterable<SiteFigures>;
}

/** How long figures are cached: they are public and the same for everybody. */
const CACHE_MS = 5_000;
/** How often new figures are published. */
const PUBLISH_EVERY_MS = 10_000;

export function makeSiteReader(pool: Pool, settings: SiteSettings, publishEveryMs = PUBLISH_EVERY_MS): SiteReader {
  const figures = cached(() => readFigures(pool), Math.min(CACHE_MS, publishEveryMs));
  return { settings, figures, follow: makeSiteFeed(figures, publishEveryMs) };
}

async function readFigures(pool: Pool): Promise<SiteFigures> {
  const [freshness, { rows }] = await Promise.all([
    readSourceFreshness(pool),
    pool.query<Omit<SiteFigures, keyof SourceFreshness>>(
      `select
         (select count(*)::int4 from listings where seen_at > now() - interval '1 hour') as "carsSeenLastHour",
         (select percentile_cont(0.5) within group (order by extract(epoch from seconds.spent)) from (
            select m.sent_at - l.seen_at as spent
              from mails m
              join notifications n on n.mail_id = m.id and n.user_id = m.user_id
              join listings l on l.id = n.listing_id
             where m.created_at > now() - interval '1 day' and m.sent_at is not null
               and n.kind = 'match' and n.held_by is null and not n.resent
             limit 5000) seconds) as "medianSecondsToMail"`,
    ),
  ]);
  return { ...freshness, ...(rows[0] ?? { carsSeenLastHour: 0, medianSecondsToMail: null }) };
}

interface Subscriber<T> {
  /** The newest value that the subscriber has not taken yet; older ones are dropped. */
  next: T | undefined;
  wake: ((isOver: boolean) => void) | undefined;
}

/**
 * Publishes values to all subscribers from one timer, which runs only while there are any. Each subscriber receives the
 * current value at once and then every change, a slow one only the newest. Failed reads are skipped.
 */
export function makeSiteFeed<T>(read: () => Promise<T>, everyMs: number): () => AsyncIterable<T> {
  const subscribers = new Set<Subscriber<T>>();
  let timer: NodeJS.Timeout | undefined;
  let published: string | undefined;

  function publish(subscriber: Subscriber<T>, value: T): void {
    subscriber.next = value;
    subscriber.wake?.(false);
  }

  async function tick(): Promise<void> {
    const value = await read();
    const text = JSON.stringify(value);
    if (text === published) return;
    published = text;
    for (const subscriber of subscribers) publish(subscriber, value);
  }

  function add(subscriber: Subscriber<T>): void {
    subscribers.add(subscriber);
    timer ??= setInterval(() => void tick().catch(() => undefined), everyMs).unref();
    read().then(
      (value) => publish(subscriber, value),
      () => undefined,
    );
  }

  function remove(subscriber: Subscriber<T>): void {
    subscribers.delete(subscriber);
    subscriber.wake?.(true);
    if (subscribers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    published = undefined;
  }

  return () => {
    const subscriber: Subscriber<T> = { next: undefined, wake: undefined };
    add(subscriber);
    const over = { value: undefined, done: true } as const;
    const events: AsyncIterator<T> = {
      async next() {
        if (subscriber.next === undefined && subscribers.has(subscriber)) {
          const isOver = await new Promise<boolean>((resolve) => {
            subscriber.wake = resolve;
          });
          if (isOver) return over;
        }
        const value = subscriber.next;
        subscriber.next = undefined;
        return value === undefined ? over : { value, done: false };
      },
      async return() {
        remove(subscriber);
        return over;
      },
    };
    return { [Symbol.asyncIterator]: () => events };
  };
}
