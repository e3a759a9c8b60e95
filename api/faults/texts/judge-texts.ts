import { mustBeAnnounced } from '../oracle/judge-mails.ts';
import { pairOf } from '../oracle/judge-matches.ts';
import type { AcceptedText } from '../system/providers.ts';
import type { AlertLog, CarLog } from '../world/journal.ts';

/** A row of `texts` about matches. */
export interface TextRow {
  id: string;
  alertId: number;
  to: string;
  status: string;
  /** How many notifications are assigned to it. */
  notifications: number;
  alertIsThere: boolean;
}

/** A row of `notifications` by text. */
export interface TextedRow {
  car: string;
  alertId: number;
  kind: string;
  status: string;
  textId: string | null;
}

export interface TextFacts {
  accepted: readonly AcceptedText[];
  texts: readonly TextRow[];
  notifications: readonly TextedRow[];
  /** The ids in the admin's list. */
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

/** Finds texts that the provider accepted more than once, or whose cars are in another text as well. */
export function findDoubled({
  accepted,
  texts,
  notifications,
}: Pick<TextFacts, 'accepted' | 'texts' | 'notifications'>): string[] {
  const doubled: string[] = [];
  for (const [id, deliveries] of Map.groupBy(accepted, ({ textId }) => textId)) {
    if (deliveries.length > 1)
      doubled.push(`text ${id} was accepted ${deliveries.length} times: ${deliveries.map(({ by }) => by)}`);
  }
  const acceptedIds = new Set(accepted.map(({ textId }) => textId));
  for (const { id, notifications: count, alertIsThere } of texts)
    if (acceptedIds.has(id) && count === 0 && alertIsThere)
      doubled.push(`text ${id} was accepted, and its cars are in another text too`);
  // A pair is announced again whose notification was dropped, as the car was gone or out of range before it could leave.
  const mayHaveLeft = ({ status, textId }: TextedRow) => status !== 'dropped' || acceptedIds.has(textId ?? '');
  const matches = notifications.filter((row) => row.kind === 'match' && mayHaveLeft(row));
  for (const [pair, rows] of Map.groupBy(matches, ({ car, alertId }) => pairOf(car, alertId)))
    if (rows.length > 1)
      doubled.push(`${pair} has ${rows.length} notifications by text: ${rows.map(({ status }) => status)}`);
  return doubled;
}

/** Compares the recorded state of each text with what the provider accepted. */
function findWrong({ accepted, texts, phones }: TextFacts, alerts: readonly AlertLog[]): string[] {
  const wrong: string[] = [];
  const acceptedIds = new Set(accepted.map(({ textId }) => textId));
  const owners = new Map(alerts.map(({ id, owner }) => [id, owner]));
  const known = new Set(texts.map(({ id }) => id));
  for (const { textId } of accepted)
    if (!known.has(textId)) wrong.push(`text ${textId} was accepted and is not recorded`);
  for (const { id, status, to, alertId } of texts) {
    if (status === 'sending') wrong.push(`text ${id} is still under way`);
    if (status === 'sent' && !acceptedIds.has(id)) wrong.push(`text ${id}, recorded as sent, was never accepted`);
    if (status === 'failed' && acceptedIds.has(id)) wrong.push(`text ${id}, recorded as failed, was accepted`);
    const phone = phones.get(owners.get(alertId) ?? '');
    if (phone !== undefined && phone !== to) wrong.push(`text ${id} of ${phone} went to ${to}`);
  }
  return wrong;
}

/** Compares the accepted texts with the recorded ones, and those with the pairs that must be texted. */
export function judgeTexts(alerts: readonly AlertLog[], cars: readonly CarLog[], facts: TextFacts): TextVerdict {
  const unknown = facts.texts.filter(({ status }) => status === 'unknown').map(({ id }) => id);
  const listed = new Set(facts.listed);
  const verdict: TextVerdict = {
    expected: 0,
    doubled: findDoubled(facts),
    lost: [],
    unlisted: unknown.filter((id) => !listed.has(id)).map((id) => `text ${id} is unknown, and not in the admin's list`),
    wrong: findWrong(facts, alerts),
  };
  for (const id of listed) if (!unknown.includes(id)) verdict.wrong.push(`text ${id} is listed, and is not unknown`);
  const decisions = Map.groupBy(facts.notifications, ({ car, alertId }) => pairOf(car, alertId));
  for (const alert of alerts) {
    for (const car of cars) {
      if (!mustBeAnnounced(alert, car)) continue;
      verdict.expected += 1;
      const rows = decisions.get(pairOf(car.externalId, alert.id)) ?? [];
      if (rows.length === 0 || rows.some(({ status }) => !decided.has(status)))
        verdict.lost.push(
          `${pairOf(car.externalId, alert.id)}: ${rows.map(({ status }) => status).join() || 'no row'}`,
        );
    }
  }
  return verdict;
}
