import type { Pool } from '../base/database.ts';
import { makeSiteFeed } from './site-feed.ts';

export interface SiteSettings {
  testMode: boolean;
  confirmEmail: boolean;
  supportEmail: string;
  marketplaceHome: string;
  checkEverySeconds: number;
}

export interface SiteFigures {
  carsSeenLastHour: number;
  lastCheckedAt: Date | null;
  medianSecondsToMail: number | null;
}

export interface SiteReader {
  settings: SiteSettings;
  figures(): Promise<SiteFigures>;
  /** The figures now and whenever they change, from one clock for all who follow. */
  follow(): AsyncIterable<SiteFigures>;
}

/** The figures are public and the same for all: one reading serves everyone for this long. */
const KEEP_MS = 5_000;
/** How often followers hear of new ones. */
const TELL_EVERY_MS = 10_000;

export function makeSiteReader(pool: Pool, settings: SiteSettings, tellEveryMs = TELL_EVERY_MS): SiteReader {
  let kept: { at: number; figures: Promise<SiteFigures> } | undefined;
  function figures(): Promise<SiteFigures> {
    if (!kept || Date.now() - kept.at > Math.min(KEEP_MS, tellEveryMs)) {
      kept = { at: Date.now(), figures: readFigures(pool) };
      kept.figures.catch(() => {
        kept = undefined;
      });
    }
    return kept.figures;
  }
  return { settings, figures, follow: makeSiteFeed(figures, tellEveryMs) };
}

async function readFigures(pool: Pool): Promise<SiteFigures> {
  const { rows } = await pool.query<SiteFigures>(
    `select
       (select count(*)::int4 from listings where seen_at > now() - interval '1 hour') as "carsSeenLastHour",
       (select max(greatest(last_polled_at, last_success_at)) from sources) as "lastCheckedAt",
       (select percentile_cont(0.5) within group (order by extract(epoch from seconds.spent)) from (
          select m.sent_at - l.seen_at as spent
            from mails m
            join notifications n on n.mail_id = m.id
            join listings l on l.id = n.listing_id
           where m.created_at > now() - interval '1 day' and m.sent_at is not null
           limit 5000) seconds) as "medianSecondsToMail"`,
  );
  return rows[0] ?? { carsSeenLastHour: 0, lastCheckedAt: null, medianSecondsToMail: null };
}
