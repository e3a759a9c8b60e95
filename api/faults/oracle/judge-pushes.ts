import type { AcceptedPush, RefusedPush } from '../system/push-provider.ts';
import type { AlertLog, CarLog, Device } from '../world/journal.ts';
import { type Disturbances, excuse } from './excuse.ts';
import { mayBeAnnounced, mustBeAnnounced } from './judge-mails.ts';
import { pairOf } from './judge-matches.ts';

/** A row of `pushes`, with its cars by the database. */
export interface PushRow {
  id: string;
  alertId: number;
  status: string;
  /** When it was claimed first, in milliseconds since 1970. */
  claimedAt: number;
  cars: string[];
}

interface PushFacts extends Disturbances {
  accepted: readonly AcceptedPush[];
  refused: readonly RefusedPush[];
  rows: readonly PushRow[];
  devices: readonly Device[];
}

interface PushVerdict {
  /** How many pairs had to reach how many devices, as a sum. */
  expected: number;
  lost: string[];
  doubled: string[];
  /** Devices that got a request after their push service had said that they are gone. */
  again: string[];
  /** Pairs that never fitted, and messages to others' devices or with another alert's page. */
  wrong: string[];
  /** How often a message was accepted again for each reason. */
  explained: Record<string, number>;
}

/**
 * Another message for a device may have been under way when its push service said that it is gone: a call takes ten seconds
 * at most, and comes a while after the devices were read.
 */
const UNDER_WAY_MS = 15_000;
/** An answer may have been under way when the process that waited for it was told to shut down. */
const ANSWER_MS = 1_000;

/** A process that shuts down ends the calls whose answers it waits for. */
function stoppedBefore({ by, askedAt, at }: Omit<RefusedPush, 'path'>, { lives }: Disturbances): string | null {
  const life = lives.find(({ part, number }) => `${part}/${number}` === by);
  if (life?.stoppedAt === undefined || askedAt > (life.endedAt ?? Number.POSITIVE_INFINITY)) return null;
  return at >= life.stoppedAt - ANSWER_MS ? `${by} was shut down before it got the answer` : null;
}

const timeOf = (at: number): string => new Date(at).toISOString();

/** Judges what one device accepted of one message: it is accepted once, and again only with an excuse. */
function judgeRepetitions(takes: readonly AcceptedPush[], facts: PushFacts, verdict: PushVerdict): void {
  takes.slice(1).forEach((next, index) => {
    const first = takes[index] as AcceptedPush;
    const reason = excuse(first, next, facts) ?? stoppedBefore(first, facts);
    if (reason === null) {
      const times = `of ${first.by} at ${timeOf(first.at)} and of ${next.by} at ${timeOf(next.at)}`;
      verdict.doubled.push(`message ${first.pushId} to ${first.path} was accepted ${times}`);
      return;
    }
    const kind = reason.replace(/^\S+\/\d+/, 'a worker');
    verdict.explained[kind] = (verdict.explained[kind] ?? 0) + 1;
  });
}

/** Judges each message: that it goes to the devices of its owner, opens its alert, and is accepted once by each. */
function judgeMessages(
  alerts: readonly AlertLog[],
  facts: PushFacts,
  verdict: PushVerdict,
): Map<string, AcceptedPush[]> {
  const rows = new Map(facts.rows.map((row) => [row.id, row]));
  const alertById = new Map(alerts.map((alert) => [alert.id, alert]));
  const devices = new Map(facts.devices.map((device) => [device.path, device]));
  const byPair = new Map<string, AcceptedPush[]>();
  const byMessage = Map.groupBy(facts.accepted, ({ pushId }) => pushId);
  for (const [id, takes] of byMessage) {
    for (const [, own] of Map.groupBy(takes, ({ path }) => path)) judgeRepetitions(own, facts, verdict);
    const row = rows.get(id);
    const alert = row && alertById.get(row.alertId);
    // Messages of deleted alerts, and those that a restore lost.
    if (!row || !alert || alert.deleted) continue;
    const [first] = takes;
    for (const { path } of takes)
      if (devices.get(path)?.owner !== alert.owner)
        verdict.wrong.push(`message ${id} of ${alert.owner} went to ${path}`);
    // Of one car at its card.
    if (!first?.url.replace(/\?car=\d+$/, '').endsWith(`/alert/${alert.id}`))
      verdict.wrong.push(`message ${id} of alert ${alert.id} opens ${first?.url}`);
    if (row.cars.length === 0) verdict.doubled.push(`message ${id} was accepted, and its cars are in another one too`);
    for (const car of row.cars) {
      const pair = pairOf(car, alert.id);
      byPair.set(pair, [...(byPair.get(pair) ?? []), ...takes]);
    }
  }
  for (const { id, status } of facts.rows)
    if (status === 'sent' && !byMessage.has(id))
      verdict.lost.push(`message ${id}, recorded as sent, was never accepted`);
  return byPair;
}

/** Finds devices that got another request although it was known that they are gone, by any of the answers before. */
function findToldAgain(facts: PushFacts): string[] {
  return [...Map.groupBy(facts.refused, ({ path }) => path)].flatMap(([path, refused]) => {
    for (const [at, next] of refused.entries()) {
      const first = refused.slice(0, at).find((earlier) => {
        if (next.askedAt - earlier.at <= UNDER_WAY_MS) return false;
        return excuse({ ...earlier, how: 'gone' }, next, facts) === null && stoppedBefore(earlier, facts) === null;
      });
      if (!first) continue;
      return `${path} was gone for ${first.by} at ${timeOf(first.at)}, and ${next.by} asked again at ${timeOf(next.at)}`;
    }
    return [];
  });
}

/**
 * Compares the accepted push messages with the pairs that must, may and must not be announced by the journal. At least once:
 * each pair is accepted by each device that its owner had before the car was listed and still has; more than once only
 * where the result of the first call could not be recorded.
 */
export function judgePushes(alerts: readonly AlertLog[], cars: readonly CarLog[], facts: PushFacts): PushVerdict {
  const verdict: PushVerdict = {
    expected: 0,
    lost: [],
    doubled: [],
    again: findToldAgain(facts),
    wrong: [],
    explained: {},
  };
  const accepted = judgeMessages(alerts, facts, verdict);
  const byOwner = Map.groupBy(facts.devices, ({ owner }) => owner);
  for (const alert of alerts) {
    const devices = byOwner.get(alert.owner) ?? [];
    for (const car of cars) {
      const pair = pairOf(car.externalId, alert.id);
      const takes = accepted.get(pair) ?? [];
      const must = devices.length > 0 && mustBeAnnounced(alert, car);
      if (!must && takes.length === 0) continue;
      const most = mayBeAnnounced(alert, car);
      if (most === 0) verdict.wrong.push(`${pair} was pushed`);
      const listedAt = car.states[0]?.span.begun ?? 0;
      for (const { path, subscribed, endedAt } of devices) {
        const messages = new Set(takes.filter((take) => take.path === path).map(({ pushId }) => pushId));
        if (most > 0 && messages.size > most) verdict.doubled.push(`${pair}: in messages ${[...messages].join(', ')}`);
        if (!must || endedAt !== undefined || subscribed.done > listedAt) continue;
        verdict.expected += 1;
        if (messages.size === 0) verdict.lost.push(`${pair} to ${path}`);
      }
    }
  }
  return verdict;
}
