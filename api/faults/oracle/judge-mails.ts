import { oracleFits } from '../../test/matching/match-world.ts';
import type { AcceptedMail } from '../system/providers.ts';
import { type AlertLog, type CarLog, meet, possible, type Span } from '../world/journal.ts';
import { type Disturbances, excuse } from './excuse.ts';
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
  /** Ends and reminders that certainly had to be mailed. */
  expected: number;
  lost: string[];
  doubled: string[];
  explained: Explained[];
}

/** The index of the due time that a mail is for: the last one that had begun when the mail was made. */
const dueTimeOf = (mail: TimelyMail, dueTimes: readonly Span[]): number =>
  dueTimes.findLastIndex(({ begun }) => begun <= mail.createdAt);

/** Compares an alert's mails of one kind with the times at which one was due, each of which has one mail at most. */
function judgeKind(alert: AlertLog, kind: TimelyMail['kind'], mails: readonly TimelyMail[], verdict: TimelyVerdict) {
  const dueTimes = (kind === 'expired' ? alert.ends : alert.reminders) ?? [];
  const byDueTime = Map.groupBy(mails, (mail) => dueTimeOf(mail, dueTimes));
  for (const [dueTime, announced] of byDueTime) {
    const count = `${announced.length} mails (${announced.map(({ id }) => id).join(', ')})`;
    if (dueTime < 0) verdict.doubled.push(`alert ${alert.id}: ${count} of kind ${kind} without a reason`);
    else if (announced.length > 1) verdict.doubled.push(`alert ${alert.id}: ${count} of kind ${kind} for one time`);
  }
  // The owner may have renewed, deactivated or deleted the alert before the mail, so only the last due time is certain.
  const last = dueTimes.at(-1);
  const isOver = alert.states.at(-1)?.span === last || kind === 'reminder';
  if (!last || !isOver || alert.deleted) return;
  verdict.expected += 1;
  if (!byDueTime.has(dueTimes.length - 1)) verdict.lost.push(`alert ${alert.id}: no mail of kind ${kind}`);
}

/** Judges the mails that an alert has ended or will end: one for each time. */
export function judgeTimely(
  alerts: readonly AlertLog[],
  mails: readonly TimelyMail[],
  accepted: readonly AcceptedMail[],
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
  const deliveries = Map.groupBy(
    accepted.filter(({ mailId }) => known.has(mailId)),
    ({ mailId }) => mailId,
  );
  for (const [mail, times] of deliveries) judgeDeliveries(mail, times, happened, verdict);
  for (const { id, status } of mails)
    if (status === 'sent' && !deliveries.has(id)) verdict.lost.push(`mail ${id}, recorded as sent, was never accepted`);
  return verdict;
}

/** A row of `mails` about matches, with its cars by the database. */
export interface MailRow {
  id: string;
  alertId: number;
  status: string;
  /** In milliseconds since 1970. */
  claimedAt: number | null;
  cars: string[];
}

interface Explained {
  mail: string;
  times: number;
  reason: string;
}

export interface MailVerdict {
  expected: number;
  lost: string[];
  doubled: string[];
  explained: Explained[];
  /** Pairs that were mailed although they never fitted, or to another user. */
  wrong: string[];
}

export interface MailFacts extends Disturbances {
  accepted: readonly AcceptedMail[];
  rows: readonly MailRow[];
}

const DROP = 0.95;
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

const shown = ({ how, by, at }: AcceptedMail): string =>
  by === 'outbox' ? 'accepted by the outbox' : `${how} of ${by} at ${new Date(at).toISOString()}`;

const drops = ({ states }: CarLog): number =>
  states.filter(({ facts }, j) => {
    const before = states[j - 1]?.facts.price;
    return typeof before === 'number' && facts.price !== null && facts.price <= before * DROP;
  }).length;

/** Whether every state that alert and car may have had at the same time fits, so that the pair must be mailed. */
export function mustBeAnnounced(alert: AlertLog, car: CarLog): boolean {
  const [made, listed] = [alert.states[0], car.states[0]];
  if (car.mayBeUnannounced || alert.deleted || !made || !listed || made.span.done > listed.span.begun) return false;
  return alert.states.every(({ criteria, active }, i) =>
    car.states.every(
      ({ facts, forSale }, j) =>
        (active && forSale && oracleFits(criteria, facts)) || !meet(possible(alert, i), possible(car, j)),
    ),
  );
}

/** How often a pair may be mailed at most: once, and once more a price drop; never where a backfill found it. */
export function mayBeAnnounced(alert: AlertLog, car: CarLog): number {
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

interface Announcement {
  mail: string;
  /** The mail's text about the car; unknown where the mail only counted it. */
  block: string | undefined;
  at: number;
}

/** Judges the deliveries of one mail: it is accepted once, and again only with an excuse. */
function judgeDeliveries(
  mail: string,
  deliveries: readonly AcceptedMail[],
  facts: Disturbances,
  verdict: Pick<MailVerdict, 'doubled' | 'explained'>,
): void {
  const inOrder = deliveries.toSorted((a, b) => a.at - b.at);
  inOrder.slice(1).forEach((next, index) => {
    const first = inOrder[index];
    const reason = first && first.by !== 'outbox' ? excuse(first, next, facts) : null;
    if (reason === null) verdict.doubled.push(`mail ${mail}, ${first ? shown(first) : ''}, was ${shown(next)}`);
    else verdict.explained.push({ mail, times: deliveries.length, reason });
  });
}

/** The announcements by pair: every car of every accepted mail, a mail that was accepted twice once. */
export function announcementsOf(
  facts: MailFacts,
  verdict: MailVerdict,
  owners: Map<number, string>,
): Map<string, Announcement[]> {
  const rows = new Map(facts.rows.map((row) => [row.id, row]));
  const announced = new Map<string, Announcement[]>();
  const byMail = Map.groupBy(facts.accepted, ({ mailId }) => mailId);
  for (const [mail, deliveries] of byMail) {
    const row = rows.get(mail);
    if (!row) continue;
    const blocks = new Map<string, string | undefined>();
    for (const { text, to } of deliveries) {
      for (const [car, block] of carsIn(text)) blocks.set(car, block);
      if (hasMore(text)) for (const car of row.cars) if (!blocks.has(car)) blocks.set(car, undefined);
      const owner = owners.get(row.alertId);
      if (owner !== undefined && owner !== to) verdict.wrong.push(`mail ${mail} of ${owner} went to ${to}`);
    }
    const at = Math.max(...deliveries.map((take) => take.at));
    for (const [car, block] of blocks) {
      const pair = pairOf(car, row.alertId);
      announced.set(pair, [...(announced.get(pair) ?? []), { mail, block, at }]);
    }
    judgeDeliveries(mail, deliveries, facts, verdict);
  }
  for (const { id, status } of facts.rows) {
    if (status === 'sent' && !byMail.has(id)) verdict.lost.push(`mail ${id}, recorded as sent, was never accepted`);
  }
  return announced;
}

/** Whether a mail states the car's last price, where that is a drop from every price before. */
function isUpToDate(car: CarLog, announced: readonly Announcement[]): boolean {
  const price = car.states.at(-1)?.facts.price;
  const before = car.states.slice(0, -1).map(({ facts }) => facts.price ?? 0);
  const blocks = announced.flatMap(({ block }) => block ?? []);
  if (typeof price !== 'number' || blocks.length < announced.length) return true;
  if (before.length === 0 || before.some((other) => price > other * DROP)) return true;
  return blocks.some((block) => block.includes(`$${price.toLocaleString('en-US')}`));
}

/** Compares the accepted mails with the pairs that must, may and must not be mailed by the journal. */
export function judgeMails(alerts: readonly AlertLog[], cars: readonly CarLog[], facts: MailFacts): MailVerdict {
  const verdict: MailVerdict = { expected: 0, lost: [], doubled: [], explained: [], wrong: [] };
  const announced = announcementsOf(facts, verdict, new Map(alerts.map(({ id, owner }) => [id, owner])));
  for (const alert of alerts) {
    for (const car of cars) {
      const pair = pairOf(car.externalId, alert.id);
      const times = announced.get(pair) ?? [];
      const must = mustBeAnnounced(alert, car);
      if (must) verdict.expected += 1;
      if (!must && times.length === 0) continue;
      const most = mayBeAnnounced(alert, car);
      if (must && times.length === 0) verdict.lost.push(pair);
      else if (must && !isUpToDate(car, times)) verdict.lost.push(`${pair}: the drop of its price`);
      if (most === 0) verdict.wrong.push(`${pair} was mailed`);
      else if (times.length > most)
        verdict.doubled.push(`${pair}: in mails ${times.map(({ mail }) => mail).join(', ')}`);
    }
  }
  return verdict;
}
