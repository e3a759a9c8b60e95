import { lockContended, locks } from '../../base/advisory-lock.ts';
import type { MatchNotice } from '../../base/channels.ts';
import { type Client, inTransaction, type Pool, type Queryable } from '../../base/database.ts';
import { type Log, silentLog } from '../../base/log.ts';
import {
  EXPIRING_A_BATCH,
  expiringAlertEvents,
  matchEvents,
  priceDropEvents,
  purgePriceDrops,
  readExpiring,
  readPriceDrops,
} from './describe-events.ts';
import {
  MATCHES_A_BATCH,
  movePositions,
  type NewMatch,
  readNewMatches,
  readNotifiedMatches,
  resetPositionsAhead,
} from './read-new-matches.ts';
import { addEvents } from './stored-events.ts';

export interface EventMaker {
  /** Receives the payload of a NOTIFY about matches, as JSON. */
  notify(payload: string): void;
  /** To be called when notifications may have been missed, after which all buyers are read again. */
  restart(): void;
  /** Adds the events since the last round, each exactly once. @returns whether there may be more to do at once */
  round(): Promise<boolean>;
}

/** How many buyers a round reads; with more buyers a cycle through all takes several rounds. */
const BUYERS_A_PAGE = 50;
/** How many listings of notices a round reads. */
const LISTINGS_A_ROUND = 100;
const MAX_NOTICES = 10_000;

/** The buyers of one round. */
interface BuyerPage {
  /** By id, after those who had more matches than the last round read. */
  buyers: number[];
  /** The next page begins after this id; 0 at the end of the cycle. */
  upTo: number;
  /** Whether the page holds all buyers. */
  isWhole: boolean;
}

interface Outcome {
  page: BuyerPage;
  /** Buyers who may have more matches than were read. */
  behind: number[];
  /** Notices whose matches an older transaction holds back. */
  heldBack: MatchNotice[];
  hasMoreDrops: boolean;
  hasMoreExpiring: boolean;
}

/** Whether there is any webhook to make events for. */
export async function hasWebhooks(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>('select exists (select 1 from webhooks) as any');
  return rows[0]?.any ?? false;
}

/**
 * Adds events for buyers who have webhooks. Matches named by notices are read from the listings' side, so that the cost
 * does not grow with the number of alerts. Each round also reads a page of buyers and moves their positions, which finds
 * matches of lost notices.
 */
export function makeEventMaker(
  pool: Pool,
  { buyersAPage = BUYERS_A_PAGE, log = silentLog }: { buyersAPage?: number; log?: Log } = {},
): EventMaker {
  let notices: MatchNotice[] = [];
  let behind: number[] = [];
  let lastBuyer = 0;
  let isFirstCycle = true;

  function restart(): void {
    notices = [];
    lastBuyer = 0;
    isFirstCycle = true;
  }

  async function readPage(client: Client): Promise<BuyerPage> {
    const { rows } = await client.query<{ id: number }>({
      name: 'webhooks-buyers',
      text: 'select distinct user_id as id from webhooks where user_id > $1 order by user_id limit $2',
      values: [lastBuyer, buyersAPage],
    });
    const ids = rows.map(({ id }) => id);
    const upTo = ids.length < buyersAPage ? 0 : (ids.at(-1) ?? 0);
    return { buyers: [...new Set([...behind, ...ids])], upTo, isWhole: upTo === 0 && lastBuyer === 0 };
  }

  /** Reads everything before the first write, since a writing transaction holds up live matches. */
  async function makeEvents(client: Client, received: readonly MatchNotice[]): Promise<Outcome> {
    await lockContended(client, locks.webhookEvents);
    const page = await readPage(client);
    const notified = page.isWhole ? { matches: [], heldBack: [] } : await readNotifiedMatches(client, received);
    const ahead = await resetPositionsAhead(client, page.buyers);
    if (ahead.length > 0) log.warn('positions of webhooks were ahead of the matches', { users: ahead });
    const ofPage = await readNewMatches(client, page.buyers);
    const drops = await readPriceDrops(client);
    const expiring = await readExpiring(client, page.buyers);
    const news = [...notified.matches, ...ofPage].filter(({ isNews }) => isNews);
    await addEvents(client, [
      ...(await matchEvents(client, eachOnce(news))),
      ...(await priceDropEvents(client, drops)),
      ...(await expiringAlertEvents(client, expiring)),
    ]);
    await movePositions(client, ofPage);
    await purgePriceDrops(client, drops);
    return {
      page,
      behind: buyersWithMore(ofPage),
      heldBack: notified.heldBack,
      hasMoreDrops: drops.length > 0,
      hasMoreExpiring: expiring.length >= EXPIRING_A_BATCH,
    };
  }

  return {
    notify(payload) {
      const notice = readNotice(payload);
      if (!notice || notices.length >= MAX_NOTICES) restart();
      else if (notice.listings) notices.push(notice);
    },
    restart,
    async round() {
      const received = notices.splice(0, noticesOfRound(notices));
      let done: Outcome;
      try {
        done = await inTransaction(pool, (client) => makeEvents(client, received));
      } catch (error) {
        restart();
        throw error;
      }
      const { page, hasMoreDrops, hasMoreExpiring } = done;
      behind = done.behind;
      if (!hasMoreExpiring) lastBuyer = page.upTo;
      if (lastBuyer === 0) isFirstCycle = false;
      if (page.isWhole) notices = [];
      const hasMoreNotices = notices.length > 0;
      notices.unshift(...done.heldBack);
      return hasMoreDrops || hasMoreExpiring || behind.length > 0 || isFirstCycle || hasMoreNotices;
    },
  };
}

function readNotice(payload: string): MatchNotice | null {
  try {
    return JSON.parse(payload) as MatchNotice;
  } catch {
    return null;
  }
}

/** The number of notices that name as many listings as a round reads. */
function noticesOfRound(notices: readonly MatchNotice[]): number {
  let listings = 0;
  const end = notices.findIndex((notice) => {
    listings += notice.listings?.length ?? 0;
    return listings >= LISTINGS_A_ROUND;
  });
  return end < 0 ? notices.length : end + 1;
}

const eachOnce = (matches: readonly NewMatch[]): NewMatch[] => [
  ...new Map(matches.map((match) => [`${match.alertId}:${match.listingId}`, match])).values(),
];

function buyersWithMore(matches: readonly NewMatch[]): number[] {
  const ofEach = Map.groupBy(matches, ({ userId }) => userId);
  return [...ofEach].filter(([, list]) => list.length >= MATCHES_A_BATCH).map(([userId]) => userId);
}
