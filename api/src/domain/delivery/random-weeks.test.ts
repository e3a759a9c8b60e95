import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clockOf, digestHours, mayLeave, mayLeaveAgain } from '../../../test/delivery/plain-model.ts';
import { type DeliverySettings, departureOf, heldMessage, heldNow } from './departure.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** In each of these weeks a clock is changed, where the zone changes it at all. */
const weeks = [
  ['America/New_York', '2026-03-05'],
  ['America/New_York', '2026-10-29'],
  ['Europe/London', '2026-03-26'],
  ['Europe/London', '2026-10-22'],
  ['Australia/Lord_Howe', '2026-04-01'],
  ['Australia/Lord_Howe', '2026-10-01'],
  ['Asia/Kathmandu', '2026-06-10'],
  ['Pacific/Apia', '2026-06-10'],
] as const;

const times = [
  '00:00',
  '01:15',
  '01:30',
  '02:00',
  '02:15',
  '02:30',
  '03:10',
  '06:00',
  '07:00',
  '12:00',
  '22:00',
  '23:30',
];
const time = fc.constantFrom(...times);
// Someone for whom every hour of the week is quiet pauses messages instead.
const days = fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1, maxLength: 6 });
const quietHours = fc.option(fc.record({ from: time, to: time, days }), { nil: null });
const within = (ms: number) => fc.integer({ min: 0, max: ms });
const often = <T>(arbitrary: fc.Arbitrary<T>, weight: number) => ({ arbitrary, weight });

const change = fc.oneof(
  fc.record({ digestHour: within(23) }),
  fc.record({ delivery: fc.constantFrom('instant' as const, 'daily' as const) }),
  fc.record({ quietHours }),
  fc.record({ snoozeDays: fc.constantFrom(0, 0, 1, 3, 7) }),
  fc.record({ isPaused: fc.boolean() }),
  fc.record({ maxPerDay: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }) }),
);
const event = fc.record({
  at: within(WEEK),
  what: fc.oneof(
    often(fc.constant({ kind: 'match' as const, isMinor: false }), 5),
    // A viewed car was sold.
    often(fc.constant({ kind: 'match' as const, isMinor: true }), 2),
    often(fc.record({ kind: fc.constant('change' as const), change }), 2),
    // The sender is down, for hours.
    often(fc.record({ kind: fc.constant('down' as const), ms: within(10 * HOUR) }), 1),
    // The vendor accepts nothing, for hours.
    often(fc.record({ kind: fc.constant('refusing' as const), ms: within(10 * HOUR) }), 1),
  ),
});
const week = fc.record({
  zone: fc.constantFrom(...weeks),
  settings: fc.record({
    delivery: fc.constantFrom('instant' as const, 'daily' as const),
    digestHour: within(23),
    quietHours,
    maxPerDay: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null }),
  }),
  events: fc.array(event, { minLength: 1, maxLength: 40 }),
  /** How late the sender comes to what is due. */
  lateMs: fc.oneof(fc.constant(0), within(20 * 60_000)),
});
type Week = typeof week extends fc.Arbitrary<infer T> ? T : never;

interface Sent {
  at: number;
  matches: number[];
}

/** A message that is tried again. */
interface Tried {
  matches: number[];
  firstWaitingAt: Date;
  isMinor: boolean;
  nextTryAt: number;
}

const RETRY_MS = 7 * 60_000;

/** What the sender does in a week, and until nothing waits; each of its decisions is compared with the plain model's. */
class Simulation {
  settings: DeliverySettings;
  readonly sent: Sent[] = [];
  found = 0;
  #waiting: { id: number; at: number; isMinor: boolean }[] = [];
  #dueAt = Number.POSITIVE_INFINITY;
  #downUntil = 0;
  #refusingUntil = 0;
  #tried: Tried[] = [];
  #claimed: { at: number }[] = [];
  readonly #lateMs: number;

  constructor({ zone, settings, lateMs }: Week) {
    this.settings = { ...settings, snoozedUntil: null, isPaused: false, timeZone: zone[0] };
    this.#lateMs = lateMs;
  }

  match(at: number, isMinor: boolean): void {
    this.#waiting.push({ id: this.found, at, isMinor });
    this.found += 1;
    this.#dueAt = Math.min(this.#dueAt, at + 2_000);
  }

  change(at: number, { snoozeDays, ...others }: Partial<DeliverySettings> & { snoozeDays?: number }): void {
    const snooze =
      snoozeDays === undefined ? {} : { snoozedUntil: snoozeDays === 0 ? null : new Date(at + snoozeDays * DAY) };
    this.settings = { ...this.settings, ...others, ...snooze };
    if (this.#waiting.length > 0) this.#dueAt = at;
    for (const message of this.#tried) message.nextTryAt = at;
  }

  down(at: number, ms: number): void {
    this.#downUntil = Math.max(this.#downUntil, at + ms);
  }

  refuse(at: number, ms: number): void {
    this.#refusingUntil = Math.max(this.#refusingUntil, at + ms);
  }

  runUntil(end: number): void {
    for (let runs = 0; ; runs += 1) {
      const isWaiting = this.#waiting.length > 0;
      const due = Math.min(
        isWaiting ? this.#dueAt : Number.POSITIVE_INFINITY,
        ...this.#tried.map((one) => one.nextTryAt),
      );
      const at = Math.max(due + this.#lateMs, this.#downUntil);
      if (due === Number.POSITIVE_INFINITY || at >= end) return;
      expect(runs).toBeLessThan(1_000);
      if (isWaiting && this.#dueAt <= at) this.#run(at);
      for (const message of this.#tried.filter(({ nextTryAt }) => nextTryAt <= at)) this.#tryAgain(message, at);
    }
  }

  #call(message: Omit<Tried, 'nextTryAt'>, at: number): void {
    if (at < this.#refusingUntil) this.#tried.push({ ...message, nextTryAt: at + RETRY_MS });
    else this.sent.push({ at, matches: message.matches });
  }

  #tryAgain(message: Tried, at: number): void {
    const held = heldMessage(this.settings, message, new Date(at));
    expect(mayLeaveAgain(this.settings, message, at)).toBe(held === null);
    const until = held?.at?.getTime();
    if (until !== undefined) {
      expect(mayLeaveAgain(this.settings, message, until)).toBe(true);
      expect(mayLeaveAgain(this.settings, message, until - 1)).toBe(false);
    }
    if (held !== null) message.nextTryAt = until ?? at + DAY;
    else {
      this.#tried = this.#tried.filter((one) => one !== message);
      this.#call(message, at);
    }
  }

  #run(at: number): void {
    const { settings } = this;
    const today = clockOf(settings.timeZone).date(at);
    const last = this.#claimed.at(-1);
    const major = this.#waiting.filter(({ isMinor }) => !isMinor);
    const isMinor = major.length === 0;
    const waiting = {
      isMinor,
      firstWaitingAt: new Date(Math.min(...(isMinor ? this.#waiting : major).map((match) => match.at))),
      lastSentAt: last ? new Date(last.at) : null,
      sentToday: this.#claimed.filter((one) => clockOf(settings.timeZone).date(one.at) === today).length,
    };
    const now = new Date(at);
    const departure = departureOf(settings, waiting, now);
    const leaves = departure.at?.getTime() ?? at + DAY;
    expect(mayLeave(settings, waiting, at)).toBe(leaves <= at);
    if (leaves <= at) {
      expect(heldNow(settings, now)).toBeNull();
      this.#claimed.push({ at });
      this.#call({ ...waiting, matches: this.#waiting.map(({ id }) => id) }, at);
      this.#waiting = [];
      this.#dueAt = Number.POSITIVE_INFINITY;
      return;
    }
    if (departure.at !== null) {
      expect(mayLeave(settings, waiting, leaves)).toBe(true);
      expect(mayLeave(settings, waiting, leaves - 1)).toBe(false);
    }
    const held = heldNow(settings, now);
    if (held?.at) expect(held.at.getTime()).toBeLessThanOrEqual(leaves);
    this.#dueAt = leaves;
  }
}

function simulate(plan: Week): void {
  const start = Date.parse(`${plan.zone[1]}T00:00Z`);
  const simulation = new Simulation(plan);
  const events = plan.events.toSorted((one, other) => one.at - other.at);
  for (const { at, what } of events) {
    simulation.runUntil(start + at);
    if (what.kind === 'match') simulation.match(start + at, what.isMinor);
    else if (what.kind === 'change') simulation.change(start + at, what.change);
    else if (what.kind === 'down') simulation.down(start + at, what.ms);
    else simulation.refuse(start + at, what.ms);
  }
  simulation.runUntil(start + WEEK);
  if (simulation.settings.isPaused) simulation.change(start + WEEK, { isPaused: false });
  simulation.runUntil(Number.POSITIVE_INFINITY);

  // Nothing is lost and nothing leaves twice.
  const matches = simulation.sent.flatMap((one) => one.matches);
  expect(matches.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: simulation.found }, (_, id) => id),
  );
  if (!events.some(({ what }) => what.kind === 'change' || what.kind === 'refusing'))
    expectFewMessages(simulation, start);
}

/** Without changes, a day has at most one digest, or one message more than its limit. */
function expectFewMessages({ settings, sent }: Simulation, start: number): void {
  const last = sent.at(-1);
  if (!last) return;
  if (settings.delivery === 'daily') {
    expect(sent.length).toBeLessThanOrEqual(digestHours(settings, start, last.at));
  } else if (settings.maxPerDay !== null) {
    const byDay = Map.groupBy(sent, ({ at }) => clockOf(settings.timeZone).date(at));
    for (const messages of byDay.values()) expect(messages.length).toBeLessThanOrEqual(settings.maxPerDay + 1);
  }
}

const runWeeks = (numRuns: number) => () => fc.assert(fc.property(week, simulate), { numRuns });

it('in 300 random weeks nothing is lost, nothing is early and nothing leaves twice', runWeeks(300));
it('nor in 10,000', { tags: 'long' }, runWeeks(10_000));
