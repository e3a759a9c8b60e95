import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedLock } from '../shared-lock.ts';
import { ask, type Buyer, Refused, type Target, until } from './buyers.ts';
import type { Draw } from './draw.ts';
import type { AlertLog, Hold } from './journal.ts';

interface Request {
  query: string;
  variables: object;
}

const patched = ({ id }: AlertLog, input: object): Request => ({
  query: 'mutation ($id: ID!, $input: AlertPatch!) { updateAlert(id: $id, input: $input) { id } }',
  variables: { id: String(id), input },
});
const snoozed = ({ id }: AlertLog, days: number): Request => ({
  query: 'mutation ($id: ID!, $days: Int!) { snoozeAlert(id: $id, days: $days) { id } }',
  variables: { id: String(id), days },
});

const HOUR_MS = 3_600_000;
const hours = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23' });

/** The hour of the day some hours from now, where buyers live who give no time zone. */
const hourIn = (away: number): number => Number(hours.format(Date.now() + away * HOUR_MS));
const timeIn = (away: number): string => `${String(hourIn(away)).padStart(2, '0')}:00`;
const quietNow = () => ({ from: timeIn(-2), to: timeIn(3), days: [0, 1, 2, 3, 4, 5, 6] });

/** The rules of one alert that hold all of its messages, and how each is ended. */
const rules: Record<Exclude<Hold['by'], 'pause'>, { hold(alert: AlertLog): Request; end(alert: AlertLog): Request }> = {
  quiet: {
    hold: (alert) => patched(alert, { quietHours: quietNow() }),
    end: (alert) => patched(alert, { quietHours: null }),
  },
  daily: {
    hold: (alert) => patched(alert, { delivery: 'daily', digestHour: hourIn(12) }),
    end: (alert) => patched(alert, { delivery: 'instant' }),
  },
  snooze: { hold: (alert) => snoozed(alert, 1), end: (alert) => snoozed(alert, 0) },
};
const ruleNames = ['quiet', 'daily', 'snooze'] as const;

const paused = (isPaused: boolean): Request => ({
  query: 'mutation ($paused: Boolean!) { pauseAll(paused: $paused) { id } }',
  variables: { paused: isPaused },
});

const NEVER = Number.POSITIVE_INFINITY;

/** Sends a request until it is acknowledged. An alert may be deleted meanwhile. @returns the span in which it came into force */
async function acknowledged(target: Target, buyer: Buyer, { query, variables }: Request): Promise<Hold['begun']> {
  const span = { begun: Date.now(), done: NEVER };
  await until(() => ask(target, buyer, query, variables)).catch((error: unknown) => {
    if (!(error instanceof Refused && error.code === 'NOT_FOUND')) throw error;
  });
  span.done = Date.now();
  return span;
}

/** Holds the messages of alerts, and then lets what has waited leave. */
async function holdFor(
  target: Target,
  lock: SharedLock,
  buyer: Buyer,
  held: { by: Hold['by']; alerts: readonly AlertLog[]; hold: Request; end: Request },
  wait: () => Promise<unknown>,
): Promise<void> {
  const hold: Hold = { by: held.by, begun: { begun: Date.now(), done: NEVER }, ended: { begun: NEVER, done: NEVER } };
  for (const alert of held.alerts) alert.holds = [...(alert.holds ?? []), hold];
  await lock.shared(async () => {
    hold.begun = await acknowledged(target, buyer, held.hold);
  });
  await wait();
  await lock.shared(async () => {
    hold.ended = { begun: Date.now(), done: NEVER };
    hold.ended = { ...(await acknowledged(target, buyer, held.end)), begun: hold.ended.begun };
  });
}

const ALERTS_AT_ONCE = 4;
const MIN_MS = 2_000;
const MAX_MS = 9_000;
const EVERY_MS = 1_000;
const PAUSE_SHARE = 0.2;

/**
 * Holds messages by quiet hours, a daily digest, a snooze or a pause of the account, a few alerts at a time, for as long as
 * the run lasts. At the end nothing is held any more.
 */
export async function holdAtRandom(
  target: Target,
  lock: SharedLock,
  buyers: readonly Buyer[],
  draw: Draw,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const buyer = draw.pick(buyers);
    const alerts = buyer.alerts.filter(({ deleted }) => !deleted);
    const heldMs = MIN_MS + draw.random() * (MAX_MS - MIN_MS);
    const wait = () => sleep(heldMs, undefined, { signal }).catch(() => {});
    if (draw.random() < PAUSE_SHARE) {
      const held = { by: 'pause' as const, alerts, hold: paused(true), end: paused(false) };
      await holdFor(target, lock, buyer, held, wait);
    } else {
      const from = draw.whole(0, Math.max(0, alerts.length - ALERTS_AT_ONCE));
      const some = alerts.slice(from, from + ALERTS_AT_ONCE).map((alert) => ({ alert, by: draw.pick(ruleNames) }));
      await Promise.all(
        some.map(({ alert, by }) =>
          holdFor(
            target,
            lock,
            buyer,
            { by, alerts: [alert], hold: rules[by].hold(alert), end: rules[by].end(alert) },
            wait,
          ),
        ),
      );
    }
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
