import { setTimeout as sleep } from 'node:timers/promises';
import { type PushService, startPushService, type TestBrowser } from '../../test/push/push-service.ts';
import { PROCESS_HEADER } from '../failpoints/failpoints.ts';
import { type Chances, makeTreatments } from './providers.ts';

type PushTreatment = 'accepted slowly' | 'cut after accepting' | 'cut' | 'hang' | 'out of order' | 429 | 500;

/** A message that the push service accepted for one browser. */
export interface AcceptedPush {
  /** The id of the message, from the tag of its card. */
  pushId: string;
  path: string;
  /** What the card shows, and the page that it opens. */
  text: string;
  url: string;
  /** When its request had come and when it was accepted, in milliseconds since 1970. */
  askedAt: number;
  at: number;
  /** 'worker-1/7' for the seventh process of worker-1, which delivered it. */
  by: string;
  how: 'accepted' | 'reset after accepting';
}

/** A request that was answered with 410, as its browser had ended the subscription. */
export type RefusedPush = Pick<AcceptedPush, 'path' | 'askedAt' | 'at' | 'by'>;

/** A push service that sometimes fails. */
export interface PushProvider {
  /** All accepted messages, in order, including repeated ones. */
  accepted(): readonly AcceptedPush[];
  /** Requests to browsers that have ended their subscriptions, each answered with 410. */
  refused: RefusedPush[];
  /** What the standards forbid in a request, one sentence each. */
  breaches: string[];
  /** How many requests it treated in each way. */
  counts: Record<string, number>;
  /** @param isReliable whether messages to this browser are always accepted at once */
  subscribe(vapidPublicKey: string, isReliable?: boolean): TestBrowser;
  /** Ends a subscription, as a browser does whose user forbids notifications. */
  end(path: string): void;
  /** Ends all faults: from now on everything is accepted at once. */
  recover(): void;
  close(): Promise<void>;
}

const chances: Chances<PushTreatment> = [
  ['cut', 0.04],
  ['cut after accepting', 0.04],
  ['hang', 0.01],
  ['out of order', 0.01],
  [429, 0.04],
  [500, 0.05],
  ['accepted slowly', 0.15],
];
const SLOWEST_MS = 2_000;
const MAX_OUTAGE_MS = 5_000;

const processOf = (headers: Record<string, unknown>): string => String(headers[PROCESS_HEADER] ?? '');

const acceptedOf = ({
  path,
  payload,
  askedAt,
  at,
  headers,
  isAnswered,
}: PushService['accepted'][number]): AcceptedPush => ({
  pushId: payload.tag,
  path,
  text: `${payload.title}\n${payload.body}`,
  url: payload.url,
  askedAt,
  at,
  by: processOf(headers),
  how: isAnswered ? 'accepted' : 'reset after accepting',
});

/**
 * Starts a push service that is slow, cuts the connection before or after it has accepted a message, answers nothing, 429
 * with Retry-After and 500, and now and then cuts every connection for some seconds. It never refuses a connection, as a
 * process outside production then writes the message to the outbox.
 */
export async function startPushProvider(random: () => number): Promise<PushProvider> {
  const service: PushService = await startPushService();
  const { treat, counts, recover } = makeTreatments(chances, random);
  const reliable = new Set<string>();
  const ended = new Set<string>();
  const accepted: AcceptedPush[] = [];
  const refused: RefusedPush[] = [];
  let outOfOrderUntil = 0;
  service.answer = async (path, headers) => {
    const askedAt = Date.now();
    if (ended.has(path)) {
      refused.push({ path, askedAt, at: askedAt, by: processOf(headers) });
      return 410;
    }
    if (askedAt < outOfOrderUntil && !reliable.has(path)) return 'cut';
    const how = treat(reliable.has(path));
    if (how === 'accepted') return 201;
    if (how === 429) return { status: 429, headers: { 'retry-after': String(1 + Math.floor(random() * 3)) } };
    if (how === 'accepted slowly') {
      await sleep(random() * SLOWEST_MS);
      return 201;
    }
    if (how !== 'out of order') return how;
    outOfOrderUntil = askedAt + random() * MAX_OUTAGE_MS;
    return 'cut';
  };
  return {
    accepted() {
      for (const push of service.accepted.slice(accepted.length)) accepted.push(acceptedOf(push));
      return accepted;
    },
    refused,
    breaches: service.faults,
    counts,
    subscribe(vapidPublicKey, isReliable = false) {
      const browser = service.subscribe(vapidPublicKey);
      if (isReliable) reliable.add(browser.path);
      return browser;
    },
    end: (path) => void ended.add(path),
    recover() {
      outOfOrderUntil = 0;
      recover();
    },
    close: () => service.close(),
  };
}
