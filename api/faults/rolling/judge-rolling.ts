import { makeOracle } from '../../bench/rig/oracle.ts';
import { percentile } from '../../lab/percentile.ts';
import type { TestAlert } from '../../test/matching/match-rows.ts';
import { type Disturbances } from '../oracle/excuse.ts';
import type { MailRow } from '../oracle/judge-mails.ts';
import { announcementsOf, type MailVerdict } from '../oracle/judge-mails.ts';
import { type MatchRow, pairOf } from '../oracle/judge-matches.ts';
import type { AcceptedMail } from '../system/providers.ts';
import type { Car } from '../world/draw.ts';
import type { CallResult } from './calls.ts';
import type { Event } from './events.ts';
import { addressOf, isMailed, ownerOf } from './people.ts';

interface Span {
  from: number;
  to: number;
}

const overlaps = (one: Span, { begun, ended }: CallResult): boolean => begun <= one.to && ended >= one.from;

/** Counts the requests of each kind; those that an outage of the database met are judged by none of the figures but their own. */
export function judgeCalls(results: readonly CallResult[], outages: readonly Span[]) {
  const isMet = (result: CallResult) => outages.some((outage) => overlaps(outage, result));
  const kinds = Object.fromEntries(
    [...Map.groupBy(results, ({ kind }) => kind)].map(([kind, all]) => {
      const others = all.filter((one) => !isMet(one));
      const ms = others.filter(({ fault }) => fault === null).map(({ begun, ended }) => ended - begun);
      const figures = {
        sent: all.length,
        failed: others.filter(({ fault }) => fault !== null).length,
        failedInOutages: all.filter((one) => one.fault !== null && isMet(one)).length,
        p50Ms: percentile(ms, 0.5),
        p99Ms: percentile(ms, 0.99),
      };
      return [kind, figures];
    }),
  );
  const failed = results.filter((one) => one.fault !== null && !isMet(one));
  return { kinds, failed, failedInOutages: results.filter((one) => one.fault !== null && isMet(one)).length };
}

interface Facts extends Disturbances {
  alerts: readonly TestAlert[];
  cars: readonly Car[];
  rows: readonly MatchRow[];
  deliveries: ReadonlyMap<string, readonly number[]>;
  mails: readonly MailRow[];
  accepted: readonly AcceptedMail[];
}

/** Compares stored, delivered and mailed pairs with those that alerts and acknowledged cars make. */
export function judgeCars(facts: Facts) {
  const oracle = makeOracle(facts.alerts);
  const expected = new Map<string, { car: Car; alertId: number }>();
  for (const car of facts.cars)
    for (const at of oracle.fittingAlerts(car.drawn.facts))
      expected.set(pairOf(car.externalId, at + 1), { car, alertId: at + 1 });

  const stored = Map.groupBy(facts.rows, ({ car, alertId }) => pairOf(car, alertId));
  const pairs = [...expected.keys()];
  const missing = pairs.filter((pair) => !stored.has(pair));
  const extra = [...stored.keys()].filter((pair) => !expected.has(pair));
  const doubled = [...stored].filter(([, times]) => times.length > 1).map(([pair]) => pair);
  const lost = pairs.filter((pair) => !facts.deliveries.has(pair));
  const twice = [...facts.deliveries].filter(([, times]) => times.length > 1).map(([pair]) => pair);

  const verdict: MailVerdict = { expected: 0, lost: [], doubled: [], explained: [], wrong: [] };
  const owners = new Map(facts.alerts.map((_, at) => [at + 1, addressOf(ownerOf(at + 1))]));
  const announced = announcementsOf({ ...facts, rows: facts.mails }, verdict, owners);
  for (const [pair, { alertId }] of expected) {
    const times = announced.get(pair) ?? [];
    if (!isMailed(alertId)) {
      if (times.length > 0) verdict.wrong.push(`${pair} was mailed`);
      continue;
    }
    verdict.expected += 1;
    if (times.length === 0) verdict.lost.push(pair);
    if (times.length > 1) verdict.doubled.push(`${pair}: in mails ${times.map(({ mail }) => mail).join(', ')}`);
  }
  const mailedAt = new Map([...announced].map(([pair, times]) => [pair, Math.min(...times.map(({ at }) => at))]));
  return { expected, missing, extra, doubled, lost, twice, mails: verdict, mailedAt };
}

type Pairs = Pick<ReturnType<typeof judgeCars>, 'expected' | 'mailedAt'> & Pick<Facts, 'deliveries'>;

/**
 * How long after each event a car that was listed afterwards had reached a live page, a polled one too, and a mail; and how
 * late the latest car of that time came to its page. In milliseconds.
 */
export function judgeRecovery(events: readonly Event[], { expected, mailedAt, deliveries }: Pairs) {
  const told = [...expected].map(([pair, { car, alertId }]) => ({
    isPolled: car.externalId.startsWith('polled'),
    isMailed: isMailed(alertId),
    begun: car.states[0]?.span.begun ?? 0,
    live: deliveries.get(pair)?.[0] ?? Number.POSITIVE_INFINITY,
    mailed: mailedAt.get(pair) ?? Number.POSITIVE_INFINITY,
  }));
  return events.map(({ what, from, to }, index) => {
    const until = events[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    const after = told.filter(({ begun }) => begun >= from && begun < until);
    const firsts = [
      after.filter(({ isPolled }) => !isPolled).map(({ live }) => live),
      after.filter(({ isPolled }) => isPolled).map(({ live }) => live),
      after.filter((one) => one.isMailed).map(({ mailed }) => mailed),
    ].map((times) => times.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY) - from);
    const latestMs = after.reduce((most, { live, begun }) => Math.max(most, live - begun), 0);
    return { what, tookMs: to - from, recoveryMs: Math.max(...firsts), latestMs };
  });
}
