import type { AlertLog, Hold } from '../world/journal.ts';
import type { MailRow } from './judge-mails.ts';

/** How long after its acknowledgement a rule may take to apply to what already waits, in milliseconds. */
const APPLIES_MS = 1_000;

interface HoldVerdict {
  /** Messages that were claimed while a rule certainly held them. */
  early: string[];
  /** How often each rule held an alert's messages. */
  holds: Record<Hold['by'], number>;
}

/**
 * Finds messages about cars that a rule of their alert certainly held when they were claimed. A message that was accepted
 * only before that claim left by an earlier one, which had not recorded it: the claim has sent nothing.
 * @param what what they are, in a word
 * @param askedAt when the last call began that delivered a message, by its id; in milliseconds since 1970
 */
export function judgeHolds(
  alerts: readonly AlertLog[],
  messages: readonly Omit<MailRow, 'cars'>[],
  what: 'mail' | 'push message',
  askedAt: ReadonlyMap<string, number>,
): HoldVerdict {
  const verdict: HoldVerdict = { early: [], holds: { quiet: 0, daily: 0, snooze: 0, pause: 0 } };
  const byAlert = Map.groupBy(messages, ({ alertId }) => alertId);
  for (const alert of alerts) {
    for (const { by, begun, ended } of alert.holds ?? []) {
      verdict.holds[by] += 1;
      for (const { id, status, claimedAt } of byAlert.get(alert.id) ?? []) {
        if (status !== 'sent' || claimedAt === null || (askedAt.get(id) ?? claimedAt) < claimedAt) continue;
        const lateMs = claimedAt - begun.done;
        if (lateMs > APPLIES_MS && claimedAt < ended.begun) {
          verdict.early.push(
            `${what} ${id} of alert ${alert.id} was claimed ${Math.round(lateMs)} ms after ${by} held it`,
          );
        }
      }
    }
  }
  return verdict;
}
