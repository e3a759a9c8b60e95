import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { outboxFile } from '../../src/vendors/outbox-mail.ts';
import type { TestAlert } from '../../test/matching/match-rows.ts';
import { POLLED_SOURCES } from '../system/polled-sources.ts';
import type { AcceptedPush } from '../system/push-provider.ts';
import { INGEST_TOKEN, type System } from '../system/system.ts';
import { addBrowser } from '../world/browsers.ts';
import { ask, type Buyer, createAlert, isPermanent, signUp, type Target } from '../world/buyers.ts';
import { type Car, cities, itemOf, requestedNow } from '../world/draw.ts';
import { pushUntilAccepted } from '../world/pusher.ts';
import { carOf, type MatchLine, matchLine } from '../world/readers.ts';

/** What a probe waits for: a car is pushed and matched, its mail and push message are sent, and polled cars are matched. */
export const milestones = ['pushed', 'matched', 'mailed', 'notified', 'polled'] as const;
/** Where no push messages are sent. */
export const milestonesByMail = ['pushed', 'matched', 'mailed', 'polled'] as const;
type Milestone = (typeof milestones)[number];

export interface Probe {
  buyer: Buyer;
  /** What was pushed, and what the polled sources showed. */
  pushed: Car[];
  polled: Car[];
  /**
   * Sends new cars through the whole system. @returns when the last milestone was reached, in milliseconds since 1970,
   * when each was, and which were not reached
   */
  run(timeoutMs: number): Promise<{ at: number; reached: Map<Milestone, number>; missed: Milestone[] }>;
}

const POLL_MS = 60;
const MILES_LESS = 1_507;
const YEARS = 10;

const pushedCar = { make: 'subaru', model: 'outback', words: 'Subaru Outback' };
const polledCar = { make: 'subaru', model: 'forester', words: 'Subaru Forester' };

/** The nth car of its kind; none before it may count as the same car. */
function probeCar(prefix: string, n: number, { make, model, words }: typeof pushedCar): Car {
  const city = cities[n % cities.length] as (typeof cities)[number];
  const round = Math.floor(n / cities.length);
  const facts = {
    ...{ make, model, year: 2008 + (round % YEARS), price: 9_000, color: null },
    ...{ imageUrl: 'https://photos.faults.example/1.jpg', lat: city.lat, lng: city.lng },
  };
  const mileage = 190_000 - Math.floor(round / YEARS) * MILES_LESS;
  return { externalId: `${prefix}-${n + 1}`, drawn: { city, words, facts, mileage }, states: [requestedNow(facts)] };
}

const criteriaOf = ({ make, model }: typeof pushedCar, { lat, lng }: (typeof cities)[number]): TestAlert => ({
  ...{ make, model, yearMin: null, yearMax: null, priceMin: null, priceMax: null, color: null },
  ...{ onlyWithImages: false, lat, lng, radius: 25 },
});

/** Reads what was appended to a file since the last call. */
function tailOf(path: string): () => string {
  let from = 0;
  return () => {
    if (!existsSync(path)) return '';
    const file = openSync(path, 'r');
    const buffer = Buffer.alloc(1 << 22);
    const length = readSync(file, buffer, 0, buffer.length, from);
    closeSync(file);
    from += length;
    return buffer.toString('utf8', 0, length);
  };
}

const logQuery = `query ($after: String) { matchLog(after: $after) { nodes { ${matchLine} } } }`;
const namedIn = (text: string): string[] => [...text.matchAll(/\/(probe-\d+)(?=\s|\\n)/g)].map(([, id = '']) => id);

/**
 * Makes a buyer only for the cars of the probe. It cycles through the cities, since an alert that was just mailed is not
 * mailed again for a while. @param asked the milestones of this run
 */
export async function makeProbe(system: System, target: Target, asked: readonly Milestone[]): Promise<Probe> {
  const buyer = await signUp(target, 'probe');
  if (asked.includes('notified')) await addBrowser(target, system.pushProvider, buyer, true);
  const alertIn = new Map<string, number>();
  for (const city of cities) {
    const { id } = await createAlert(target, buyer, { city, criteria: criteriaOf(pushedCar, city) });
    alertIn.set(city.name, id);
    if (asked.includes('polled')) await createAlert(target, buyer, { city, criteria: criteriaOf(polledCar, city) });
  }
  const pushed: Car[] = [];
  const polled: Car[] = [];
  const visible = new Set<string>();
  const mailed = new Set<string>();
  const readOutbox = tailOf(outboxFile(system.folder));
  let after: string | null = null;
  let read = 0;

  async function look(): Promise<void> {
    const { accepted } = system.provider;
    for (const { text } of accepted.slice(read)) for (const id of namedIn(text)) mailed.add(id);
    read = accepted.length;
    for (const id of namedIn(readOutbox())) mailed.add(id);
    try {
      const { matchLog } = await ask<{ matchLog: { nodes: MatchLine[] } }>(target, buyer, logQuery, { after });
      for (const { match, cursor } of matchLog.nodes) {
        visible.add(carOf(match.listing.url));
        after = cursor;
      }
    } catch (error) {
      // The cursor is no longer valid: read from the beginning.
      if (isPermanent(error)) after = null;
    }
  }

  return {
    buyer,
    pushed,
    polled,
    async run(timeoutMs) {
      const n = pushed.length;
      const car = probeCar('probe', n, pushedCar);
      // Each polled source shows a car of its own.
      const others = asked.includes('polled')
        ? Array.from({ length: POLLED_SOURCES }, (_, source) =>
            probeCar('polled', n * POLLED_SOURCES + source, polledCar),
          )
        : [];
      const [state] = car.states;
      if (!state) throw new Error('A car of the probe has a state.');
      pushed.push(car);
      let isPushed = false;
      const ending = new AbortController();
      const to = { url: system.url, token: INGEST_TOKEN, signal: ending.signal };
      const pushing = pushUntilAccepted(to, [itemOf(car, state)]).then(() => {
        state.span.done = Date.now();
        isPushed = true;
      });
      pushing.catch(() => {});
      for (const [source, other] of others.entries()) {
        // What a source shows when it is read for the first time is not announced.
        polled.push(n === 0 ? Object.assign(other, { mayBeUnannounced: true }) : other);
        for (const offered of other.states) system.sources.add(source, itemOf(other, offered));
      }
      const pushesBefore = asked.includes('notified') ? system.pushProvider.accepted().length : 0;
      const page = `/alert/${alertIn.get(car.drawn.city.name)}`;
      const isOfCar = ({ url, text }: AcceptedPush) =>
        new URL(url).pathname.endsWith(page) && text.includes(`${state.facts.year} ${pushedCar.words}`);
      const isThere: Record<Milestone, () => boolean> = {
        pushed: () => isPushed,
        matched: () => visible.has(car.externalId),
        mailed: () => mailed.has(car.externalId),
        notified: () => system.pushProvider.accepted().slice(pushesBefore).some(isOfCar),
        polled: () => others.every(({ externalId }) => visible.has(externalId)),
      };
      const reached = new Map<Milestone, number>();
      const missed = () => asked.filter((milestone) => !reached.has(milestone));
      for (const end = Date.now() + timeoutMs; Date.now() < end && missed().length > 0; await sleep(POLL_MS)) {
        await look();
        for (const milestone of missed()) if (isThere[milestone]()) reached.set(milestone, Date.now());
      }
      ending.abort();
      const at = missed().length > 0 ? Date.now() : Math.max(...reached.values());
      return { at, reached, missed: missed() };
    },
  };
}
