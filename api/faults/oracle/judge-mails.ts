import { oracleFits } from '../../test/matching/match-oracle.ts';
import type { Life } from '../system/part.ts';
import type { TakenMail } from '../system/providers.ts';
import type { Trouble } from '../system/system.ts';
import { type AlertLog, type CarLog, meet, possible, type Span } from '../world/journal.ts';
import { mayHaveFit, pairOf } from './judge-matches.ts';

export interface TimelyMail {
  id: string;
  kind: 'expired' | 'reminder';
  alertId: number;
  status: string;
  /** In milliseconds since 1970. */
  createdAt: number;
}

interface TimelyVerdict {
  /** Ends and reminders that had to be told for sure. */
  expected: number;
  lost: string[];
  doubled: string[];
  explained: Explained[];
}

/** The moment of which a mail tells: the last that had begun when it was made. */
const momentOf = (mail: TimelyMail, moments: readonly Span[]): number =>
  moments.findLastIndex(({ begun }) => begun <= mail.createdAt);

/** Holds the mails of one kind of an alert against the moments at which one was due: one each at most. */
function judgeKind(alert: AlertLog, kind: TimelyMail['kind'], mails: readonly TimelyMail[], verdict: TimelyVerdict) {
  const moments = (kind === 'expired' ? alert.ends : alert.reminders) ?? [];
  const byMoment = Map.groupBy(mails, (mail) => momentOf(mail, moments));
  for (const [moment, told] of byMoment) {
    const count = `${told.length} mails (${told.map(({ id }) => id).join(', ')})`;
    if (moment < 0) verdict.doubled.push(`alert ${alert.id}: ${count} of kind ${kind} without a reason`);
    else if (told.length > 1) verdict.doubled.push(`alert ${alert.id}: ${count} of kind ${kind} for one moment`);
  }
  // Before it was told, an owner may have renewed the alert, switched it off or deleted it: only the last is for sure.
  const last = moments.at(-1);
  const isOver = alert.states.at(-1)?.span === last || kind === 'reminder';
  if (!last || !isOver || alert.deleted) return;
  verdict.expected += 1;
  if (!byMoment.has(moments.length - 1)) verdict.lost.push(`alert ${alert.id}: no mail of kind ${kind}`);
}

/** Mails that an alert has ended, and that it will: once for each time. */
export function judgeTimely(
  alerts: readonly AlertLog[],
  mails: readonly TimelyMail[],
  taken: readonly TakenMail[],
  happened: Disturbances,
): TimelyVerdict {
  const verdict: TimelyVerdict = { expected: 0, lost: [], doubled: [], explained: [] };
  const byAlert = Map.groupBy(mails, ({ alertId }) => alertId);
  for (const alert of alerts) {
    const own = byAlert.get(alert.id) ?? [];
    for (const kind of ['expired', 'reminder'] as const) {
      const ofKind = own.filter((mail) => mail.kind === kind);
      judgeKind(alert, kind, ofKind, verdict);
    }
  }
  const known = new Set(mails.map(({ id }) => id));
  const takes = Map.groupBy(
    taken.filter(({ mailId }) => known.has(mailId)),
    ({ mailId }) => mailId,
  );
  for (const [mail, times] of takes) judgeTakes(mail, times, happened, verdict);
  for (const { id, status } of mails)
    if (status === 'sent' && !takes.has(id)) verdict.lost.push(`mail ${id}, recorded as sent, was never taken`);
  return verdict;
}

/** A row of `mails` that told of matches, with the cars that the database says were in it. */
export interface MailRow {
  id: string;
  alertId: number;
  status: string;
  cars: string[];
}

interface Explained {
  mail: string;
  times: number;
  reason: string;
}

interface MailVerdict {
  expected: number;
  lost: string[];
  doubled: string[];
  explained: Explained[];
  /** Pairs that were told although they never fitted, or to somebody else. */
  wrong: string[];
}

export interface MailFacts extends Disturbances {
  taken: readonly TakenMail[];
  rows: readonly MailRow[];
}

/** What happened that a vendor can't know of. */
interface Disturbances {
  lives: readonly Life[];
  outages: readonly { from: number; to: number }[];
  troubles: readonly Trouble[];
  /** What was committed in between is gone. */
  losses: readonly { from: number; to: number }[];
}

const DROP = 0.95;
/** An answer of the provider may have been under way while the database went. */
const UNDER_WAY_MS = 3_000;

const carPattern = /https?:\/\/\S+?\/((?:car|probe|polled)-\d+|demo-[0-9a-z-]+)(?=\s|$)/g;
const hasMore = (text: string): boolean => /\d+ more cars? on your alert's page/.test(text);

/** The cars that a mail names, each with its block of text. */
function carsIn(text: string): Map<string, string> {
  const cars = new Map<string, string>();
  for (const block of text.split('\n\n')) {
    for (const [, id = ''] of block.matchAll(carPattern)) cars.set(id, block);
  }
  return cars;
}

const shown = ({ how, by, at }: TakenMail): string =>
  by === 'outbox' ? 'taken by the outbox' : `${how} of ${by} at ${new Date(at).toISOString()}`;

const within = ({ from, to }: { from: number; to: number }, first: TakenMail): boolean =>
  from <= first.at + UNDER_WAY_MS && to >= first.askedAt - UNDER_WAY_MS;

/** Why a mail that had been taken was handed over again; null where nothing happened that excuses it. */
function excuse(first: TakenMail, next: TakenMail, happened: Disturbances): string | null {
  if (first.by === 'outbox') return null;
  if (first.how === 'reset after taking') return 'the provider cut the connection after it had taken it';
  const life = happened.lives.find(({ part, number }) => `${part}/${number}` === first.by);
  if (life?.how === 'SIGKILL' && (life.endedAt ?? 0) >= first.askedAt && (life.endedAt ?? 0) <= next.at) {
    const failpoint = life.report?.killedAt;
    return `${first.by} was killed ${failpoint === undefined ? 'at random' : `at ${failpoint}`} before it had recorded it`;
  }
  const trouble = happened.troubles.find((one) => first.by.startsWith(`${one.part}/`) && within(one, first));
  if (trouble) return `${first.by} was ${trouble.what} before it had recorded it`;
  if (happened.losses.some((loss) => within(loss, first))) return 'its record was lost with what came after the dump';
  const away = happened.outages.some((outage) => within(outage, first));
  return away ? 'the database was killed before it was recorded' : null;
}

const drops = ({ states }: CarLog): number =>
  states.filter(({ facts }, j) => {
    const before = states[j - 1]?.facts.price;
    return typeof before === 'number' && facts.price !== null && facts.price <= before * DROP;
  }).length;

/** Every state that alert and car may have had together fits, so that nothing but telling is right. */
export function mustBeTold(alert: AlertLog, car: CarLog): boolean {
  const [made, listed] = [alert.states[0], car.states[0]];
  if (car.mayBeQuiet || alert.deleted || !made || !listed || made.span.done > listed.span.begun) return false;
  return alert.states.every(({ criteria, active }, i) =>
    car.states.every(
      ({ facts, forSale }, j) =>
        (active && forSale && oracleFits(criteria, facts)) || !meet(possible(alert, i), possible(car, j)),
    ),
  );
}

/** How often a pair may be told at most: once, and once more a price drop; never where it was found by looking back. */
function mayBeTold(alert: AlertLog, car: CarLog): number {
  if (!mayHaveFit(alert, car)) return 0;
  const [only, ...more] = car.states;
  const { searchedBy } = only ?? {};
  if (only && more.length === 0 && searchedBy !== undefined) {
    const cameToo = alert.states.some(
      ({ criteria, active, span }) => active && oracleFits(criteria, only.facts) && span.begun <= searchedBy,
    );
    if (!cameToo) return 0;
  }
  return 1 + drops(car);
}

interface Telling {
  mail: string;
  /** What the mail said of the car; unknown where it only counted it. */
  block: string | undefined;
  at: number;
}

/** A mail is taken once, and again only with an excuse. */
function judgeTakes(
  mail: string,
  takes: readonly TakenMail[],
  facts: Disturbances,
  verdict: Pick<MailVerdict, 'doubled' | 'explained'>,
): void {
  const inOrder = takes.toSorted((a, b) => a.at - b.at);
  inOrder.slice(1).forEach((next, index) => {
    const first = inOrder[index];
    const reason = first ? excuse(first, next, facts) : null;
    if (reason === null) verdict.doubled.push(`mail ${mail}, ${first ? shown(first) : ''}, was ${shown(next)}`);
    else verdict.explained.push({ mail, times: takes.length, reason });
  });
}

/** Who was told of what: every car of every mail that was taken, a mail that was taken twice once. */
function tellings(facts: MailFacts, verdict: MailVerdict, owners: Map<number, string>): Map<string, Telling[]> {
  const rows = new Map(facts.rows.map((row) => [row.id, row]));
  const told = new Map<string, Telling[]>();
  const byMail = Map.groupBy(facts.taken, ({ mailId }) => mailId);
  for (const [mail, takes] of byMail) {
    const row = rows.get(mail);
    if (!row) continue;
    const blocks = new Map<string, string | undefined>();
    for (const { text, to } of takes) {
      for (const [car, block] of carsIn(text)) blocks.set(car, block);
      if (hasMore(text)) for (const car of row.cars) if (!blocks.has(car)) blocks.set(car, undefined);
      const owner = owners.get(row.alertId);
      if (owner !== undefined && owner !== to) verdict.wrong.push(`mail ${mail} of ${owner} went to ${to}`);
    }
    const at = Math.max(...takes.map((take) => take.at));
    for (const [car, block] of blocks) {
      const pair = pairOf(car, row.alertId);
      told.set(pair, [...(told.get(pair) ?? []), { mail, block, at }]);
    }
    judgeTakes(mail, takes, facts, verdict);
  }
  for (const { id, status } of facts.rows) {
    if (status === 'sent' && !byMail.has(id)) verdict.lost.push(`mail ${id}, recorded as sent, was never taken`);
  }
  return told;
}

/** Whether the last word on a car is its last price, where that is a drop from every price before. */
function isUpToDate(car: CarLog, told: readonly Telling[]): boolean {
  const price = car.states.at(-1)?.facts.price;
  const before = car.states.slice(0, -1).map(({ facts }) => facts.price ?? 0);
  const blocks = told.flatMap(({ block }) => block ?? []);
  if (typeof price !== 'number' || blocks.length < told.length) return true;
  if (before.length === 0 || before.some((other) => price > other * DROP)) return true;
  return blocks.some((block) => block.includes(`$${price.toLocaleString('en-US')}`));
}

/** Compares what the provider took with what the journal says must, may and must not be told. */
export function judgeMails(alerts: readonly AlertLog[], cars: readonly CarLog[], facts: MailFacts): MailVerdict {
  const verdict: MailVerdict = { expected: 0, lost: [], doubled: [], explained: [], wrong: [] };
  const told = tellings(facts, verdict, new Map(alerts.map(({ id, owner }) => [id, owner])));
  for (const alert of alerts) {
    for (const car of cars) {
      const pair = pairOf(car.externalId, alert.id);
      const times = told.get(pair) ?? [];
      const must = mustBeTold(alert, car);
      if (must) verdict.expected += 1;
      if (!must && times.length === 0) continue;
      const most = mayBeTold(alert, car);
      if (must && times.length === 0) verdict.lost.push(pair);
      else if (must && !isUpToDate(car, times)) verdict.lost.push(`${pair}: the drop of its price`);
      if (most === 0) verdict.wrong.push(`${pair} was told`);
      else if (times.length > most)
        verdict.doubled.push(`${pair}: in mails ${times.map(({ mail }) => mail).join(', ')}`);
    }
  }
  return verdict;
}
