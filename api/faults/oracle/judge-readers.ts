import type { AlertLog, CarLog, Span, Window } from '../world/journal.ts';
import type { CursorReader, WebhookReader } from '../world/readers.ts';
import { mayHaveFit } from './judge-matches.ts';

/** The facts with which one buyer's readers are compared. */
export interface ReaderFacts {
  alerts: readonly AlertLog[];
  cars: readonly CarLog[];
  /** Pairs that the buyer sees at the end. */
  shown: readonly string[];
  /** Those of them that were announced, with the time of their match in milliseconds since 1970. */
  announced: ReadonlyMap<string, number>;
  /** When a pair was last seen hidden, in milliseconds since 1970. */
  hiddenAt: ReadonlyMap<string, number>;
  /** Spans whose commits were lost in a restore. */
  losses: readonly Window[];
  /** How long may pass from the reading of a match to its arrival, as when the api is paused in between. */
  onItsWayMs: number;
}

export interface ReaderVerdict {
  lost: string[];
  doubled: string[];
  extra: string[];
}

const overlaps = ({ begun, done }: Span, from: number, to: number): boolean => begun <= to && done >= from;

/** Whether something happened in the span after which a pair may be delivered again: an edit, another price, a loss. */
function mayComeAgain(facts: ReaderFacts, alert: AlertLog, car: CarLog | undefined, from: number, to: number): boolean {
  // A car without a journal may have changed in any way.
  if (!car) return true;
  const spans = [...alert.states.slice(1), ...car.states.slice(1)].map(({ span }) => span);
  return (
    spans.some((span) => overlaps(span, from, to)) || facts.losses.some((loss) => loss.from <= to && loss.to >= from)
  );
}

/** Compares the deliveries to a reader by cursor with what its buyer sees at the end. */
export function judgeCursorReader(reader: Pick<CursorReader, 'name' | 'deliveries' | 'restarts'>, facts: ReaderFacts) {
  const verdict: ReaderVerdict = { lost: [], doubled: [], extra: [] };
  const alerts = new Map(facts.alerts.map((alert) => [alert.id, alert]));
  const cars = new Map(facts.cars.map((car) => [car.externalId, car]));
  const received = Map.groupBy(reader.deliveries, ({ pair }) => pair);
  for (const pair of facts.shown) {
    const last = received.get(pair)?.at(-1)?.at;
    const hidden = facts.hiddenAt.get(pair);
    if (last === undefined) verdict.lost.push(`${reader.name}: ${pair} was never received`);
    else if (hidden !== undefined && last < hidden)
      verdict.lost.push(`${reader.name}: ${pair} was not received again after it was hidden`);
  }
  for (const [pair, times] of received) {
    const [id = '', alertId = ''] = pair.split(':');
    const [alert, car] = [alerts.get(Number(alertId)), cars.get(id)];
    if (!alert) verdict.extra.push(`${reader.name}: ${pair} belongs to another user`);
    else if (car && !mayHaveFit(alert, car)) verdict.extra.push(`${reader.name}: ${pair} never fitted`);
    if (!alert) continue;
    times.slice(1).forEach(({ at }, index) => {
      const before = times[index]?.at ?? at;
      const hasRestarted = reader.restarts.some((time) => time >= before && time <= at);
      if (hasRestarted || mayComeAgain(facts, alert, car, before - facts.onItsWayMs, at)) return;
      verdict.doubled.push(`${reader.name}: ${pair} was received again ${((at - before) / 1000).toFixed(1)} s later`);
    });
  }
  return verdict;
}

/** Compares the messages of a webhook with the announcements since it was created: each pair under one id. */
export function judgeWebhook(
  reader: Pick<WebhookReader, 'name' | 'since' | 'messages'>,
  facts: ReaderFacts,
): ReaderVerdict {
  const verdict: ReaderVerdict = { lost: [], doubled: [], extra: [] };
  const alerts = new Map(facts.alerts.map((alert) => [alert.id, alert]));
  const cars = new Map(facts.cars.map((car) => [car.externalId, car]));
  const byPair = Map.groupBy(reader.messages, ({ pair }) => pair);
  for (const [pair, matchedAt] of facts.announced) {
    if (matchedAt < reader.since) continue;
    if (!byPair.get(pair)?.some(({ accepted }) => accepted))
      verdict.lost.push(`${reader.name}: ${pair} was never received`);
  }
  for (const [pair, messages] of byPair) {
    const [id = '', alertId = ''] = pair.split(':');
    const [alert, car] = [alerts.get(Number(alertId)), cars.get(id)];
    if (alert && car && !mayHaveFit(alert, car)) verdict.extra.push(`${reader.name}: ${pair} never fitted`);
    const isKept = ({ at }: { at: number }) =>
      !facts.losses.some(({ from, to }) => at >= from && at <= to + facts.onItsWayMs);
    const ids = new Set(messages.filter(isKept).map(({ id: message }) => message));
    if (ids.size > 1) verdict.doubled.push(`${reader.name}: ${pair} came as ${[...ids].join(', ')}`);
  }
  return verdict;
}

/** Compares the pages of a buyer at the end with the visible pairs, each of which must occur once. */
export function judgePages(name: string, pages: readonly string[], shown: readonly string[]): ReaderVerdict {
  const seen = new Set(pages);
  const visible = new Set(shown);
  return {
    lost: shown.filter((pair) => !seen.has(pair)).map((pair) => `${name}: ${pair} is on no page`),
    doubled: pages
      .filter((pair, index) => pages.indexOf(pair) !== index)
      .map((pair) => `${name}: ${pair} is on the pages twice`),
    extra: [...seen].filter((pair) => !visible.has(pair)).map((pair) => `${name}: ${pair} is on a page and hidden`),
  };
}
