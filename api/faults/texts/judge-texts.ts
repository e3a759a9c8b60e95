import { mustBeTold } from '../oracle/judge-mails.ts';
import { pairOf } from '../oracle/judge-matches.ts';
import type { TakenText } from '../system/providers.ts';
import type { AlertLog, CarLog } from '../world/journal.ts';

/** A row of `texts` that told of matches. */
export interface TextRow {
  id: string;
  alertId: number;
  to: string;
  status: string;
  /** How many notifications say that they are in it. */
  notifications: number;
  alertIsThere: boolean;
}

/** A row of `notifications` for the phone. */
export interface TextedRow {
  car: string;
  alertId: number;
  kind: string;
  status: string;
}

export interface TextFacts {
  taken: readonly TakenText[];
  texts: readonly TextRow[];
  notifications: readonly TextedRow[];
  /** Ids that the admin sees. */
  listed: readonly string[];
  phones: ReadonlyMap<string, string>;
}

interface TextVerdict {
  expected: number;
  doubled: string[];
  lost: string[];
  unlisted: string[];
  wrong: string[];
}

const decided = new Set(['sent', 'unknown']);

/** Texts that the provider has more than once, or whose cars went into another one as well. */
export function findDoubled({
  taken,
  texts,
  notifications,
}: Pick<TextFacts, 'taken' | 'texts' | 'notifications'>): string[] {
  const doubled: string[] = [];
  for (const [id, takes] of Map.groupBy(taken, ({ textId }) => textId)) {
    if (takes.length > 1) doubled.push(`text ${id} was taken ${takes.length} times: ${takes.map(({ by }) => by)}`);
  }
  const takenIds = new Set(taken.map(({ textId }) => textId));
  for (const { id, notifications: count, alertIsThere } of texts)
    if (takenIds.has(id) && count === 0 && alertIsThere)
      doubled.push(`text ${id} was taken, and what it told of is in another text too`);
  const matches = notifications.filter(({ kind }) => kind === 'match');
  for (const [pair, rows] of Map.groupBy(matches, ({ car, alertId }) => pairOf(car, alertId)))
    if (rows.length > 1) doubled.push(`${pair} was decided to be texted ${rows.length} times`);
  return doubled;
}

/** What is said of each text, against what the provider has. */
function findWrong({ taken, texts, phones }: TextFacts, alerts: readonly AlertLog[]): string[] {
  const wrong: string[] = [];
  const takenIds = new Set(taken.map(({ textId }) => textId));
  const owners = new Map(alerts.map(({ id, owner }) => [id, owner]));
  const known = new Set(texts.map(({ id }) => id));
  for (const { textId } of taken) if (!known.has(textId)) wrong.push(`text ${textId} was taken and is nowhere`);
  for (const { id, status, to, alertId } of texts) {
    if (status === 'sending') wrong.push(`text ${id} is still under way`);
    if (status === 'sent' && !takenIds.has(id)) wrong.push(`text ${id}, recorded as sent, was never taken`);
    if (status === 'failed' && takenIds.has(id)) wrong.push(`text ${id}, recorded as failed, was taken`);
    const phone = phones.get(owners.get(alertId) ?? '');
    if (phone !== undefined && phone !== to) wrong.push(`text ${id} of ${phone} went to ${to}`);
  }
  return wrong;
}

/** Compares what the provider took with what is recorded, and that with what must be told. */
export function judgeTexts(alerts: readonly AlertLog[], cars: readonly CarLog[], facts: TextFacts): TextVerdict {
  const unknown = facts.texts.filter(({ status }) => status === 'unknown').map(({ id }) => id);
  const listed = new Set(facts.listed);
  const verdict: TextVerdict = {
    expected: 0,
    doubled: findDoubled(facts),
    lost: [],
    unlisted: unknown.filter((id) => !listed.has(id)).map((id) => `text ${id} is unknown, and nobody is told`),
    wrong: findWrong(facts, alerts),
  };
  for (const id of listed) if (!unknown.includes(id)) verdict.wrong.push(`text ${id} is listed, and is not unknown`);
  const told = Map.groupBy(facts.notifications, ({ car, alertId }) => pairOf(car, alertId));
  for (const alert of alerts) {
    for (const car of cars) {
      if (!mustBeTold(alert, car)) continue;
      verdict.expected += 1;
      const rows = told.get(pairOf(car.externalId, alert.id)) ?? [];
      if (rows.length === 0 || rows.some(({ status }) => !decided.has(status)))
        verdict.lost.push(
          `${pairOf(car.externalId, alert.id)}: ${rows.map(({ status }) => status).join() || 'no row'}`,
        );
    }
  }
  return verdict;
}
