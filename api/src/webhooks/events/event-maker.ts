import type { MatchNotice } from '../../base/channels.ts';
import { type Client, inTransaction, type Pool } from '../../base/database.ts';
import { type Log, silentLog } from '../../base/log.ts';
import { lockBriefly, locks } from '../../base/under-lock.ts';
import { addEvents } from './add-events.ts';
import { ofDrops, ofExpiring, ofMatches } from './describe-events.ts';
import { EXPIRING_AT_ONCE, readExpiring } from './read-expiring.ts';
import { MATCHES_AT_ONCE, movePositions, type NewMatch, readNewMatches, setBackPositions } from './read-new-matches.ts';
import { readNoticed } from './read-noticed.ts';
import { purgePriceDrops, readPriceDrops } from './read-price-drops.ts';

export interface EventMaker {
  /** Takes what NOTIFY tells of matches, as JSON. */
  hear(payload: string): void;
  /** What was told may have been missed: everybody is looked at anew. */
  startAnew(): void;
  /** Makes events of what happened, each once ever. Returns whether there may be more at once. */
  round(): Promise<boolean>;
}

/** Buyers whose matches a round reads on; with more of them than that a turn takes several rounds. */
const BUYERS_AT_ONCE = 50;
/** Listings a round looks up because of what NOTIFY told. */
const LISTINGS_AT_ONCE = 100;
const MOST_NOTICES = 10_000;

/** Whose turn it is. */
interface Turn {
  /** By their numbers, after those who had more than one round reads. */
  buyers: number[];
  /** The next turn begins behind this number; 0 where it begins anew. */
  upTo: number;
  /** It is everybody's. */
  isWhole: boolean;
}

interface Outcome {
  turn: Turn;
  /** Who may have more than was read. */
  behind: number[];
  /** Notices whose matches an older transaction holds back. */
  unsettled: MatchNotice[];
  hasMoreDrops: boolean;
  hasMoreExpiring: boolean;
}

/**
 * Makes events for buyers who have webhooks. What NOTIFY tells is read from the listings' side, so that it costs what
 * came, however many alerts there are; positions move as all take turns, a few each round, which finds what nobody told of.
 */
export function makeEventMaker(
  pool: Pool,
  { buyersAtOnce = BUYERS_AT_ONCE, log = silentLog }: { buyersAtOnce?: number; log?: Log } = {},
): EventMaker {
  let notices: MatchNotice[] = [];
  let behind: number[] = [];
  let lastTurn = 0;
  let isFirstTurn = true;

  function startAnew(): void {
    notices = [];
    lastTurn = 0;
    isFirstTurn = true;
  }

  async function takeTurn(client: Client): Promise<Turn> {
    const { rows } = await client.query<{ id: number }>({
      name: 'webhooks-turn',
      text: 'select distinct user_id as id from webhooks where user_id > $1 order by user_id limit $2',
      values: [lastTurn, buyersAtOnce],
    });
    const ids = rows.map(({ id }) => id);
    const upTo = ids.length < buyersAtOnce ? 0 : (ids.at(-1) ?? 0);
    return { buyers: [...new Set([...behind, ...ids])], upTo, isWhole: upTo === 0 && lastTurn === 0 };
  }

  /** It is all read before anything is written, as a transaction that writes holds up live matches. */
  async function makeEvents(client: Client, heard: readonly MatchNotice[]): Promise<Outcome> {
    await lockBriefly(client, locks.webhookEvents);
    const turn = await takeTurn(client);
    const noticed = turn.isWhole ? { matches: [], unsettled: [] } : await readNoticed(client, heard);
    const ahead = await setBackPositions(client, turn.buyers);
    if (ahead.length > 0) log.warn('positions of webhooks were ahead of the matches', { users: ahead });
    const ofTurn = await readNewMatches(client, turn.buyers);
    const drops = await readPriceDrops(client);
    const expiring = await readExpiring(client, turn.buyers);
    const news = [...noticed.matches, ...ofTurn].filter(({ isNews }) => isNews);
    await addEvents(client, [
      ...(await ofMatches(client, eachOnce(news))),
      ...(await ofDrops(client, drops)),
      ...(await ofExpiring(client, expiring)),
    ]);
    await movePositions(client, ofTurn);
    await purgePriceDrops(client, drops);
    return {
      turn,
      behind: whoHasMore(ofTurn),
      unsettled: noticed.unsettled,
      hasMoreDrops: drops.length > 0,
      hasMoreExpiring: expiring.length >= EXPIRING_AT_ONCE,
    };
  }

  return {
    hear(payload) {
      const notice = readNotice(payload);
      if (!notice || notices.length >= MOST_NOTICES) startAnew();
      else if (notice.listings) notices.push(notice);
    },
    startAnew,
    async round() {
      const heard = notices.splice(0, howMany(notices));
      let done: Outcome;
      try {
        done = await inTransaction(pool, (client) => makeEvents(client, heard));
      } catch (error) {
        startAnew();
        throw error;
      }
      const { turn, hasMoreDrops, hasMoreExpiring } = done;
      behind = done.behind;
      if (!hasMoreExpiring) lastTurn = turn.upTo;
      if (lastTurn === 0) isFirstTurn = false;
      if (turn.isWhole) notices = [];
      const hasMoreNotices = notices.length > 0;
      notices.unshift(...done.unsettled);
      return hasMoreDrops || hasMoreExpiring || behind.length > 0 || isFirstTurn || hasMoreNotices;
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

/** So many notices tell of as many listings as a round looks up. */
function howMany(notices: readonly MatchNotice[]): number {
  let listings = 0;
  const end = notices.findIndex((notice) => {
    listings += notice.listings?.length ?? 0;
    return listings >= LISTINGS_AT_ONCE;
  });
  return end < 0 ? notices.length : end + 1;
}

const eachOnce = (matches: readonly NewMatch[]): NewMatch[] => [
  ...new Map(matches.map((match) => [`${match.alertId}:${match.listingId}`, match])).values(),
];

function whoHasMore(matches: readonly NewMatch[]): number[] {
  const ofEach = Map.groupBy(matches, ({ userId }) => userId);
  return [...ofEach].filter(([, list]) => list.length >= MATCHES_AT_ONCE).map(([userId]) => userId);
}
