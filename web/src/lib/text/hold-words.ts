import { timeOf } from './account-time.ts';
import { plural } from './time.ts';

const rules: Readonly<Record<string, string>> = {
  interval: 'an alert sends at most one message every five minutes',
  digest: 'the daily digest leaves then',
  quiet_hours: 'quiet hours',
  snoozed: 'the alert is snoozed',
  daily_limit: "the day's limit of mails is reached",
};

/** After what a message left that a rule had held. */
const ends: Readonly<Record<string, string>> = {
  digest: 'after it had waited for the hour of the digest',
  quiet_hours: 'after quiet hours',
  snoozed: 'after the snooze',
  paused: 'after you resumed messages',
  daily_limit: "after the day's limit of mails",
  suppressed: 'after mails to your address were resumed',
  unconfirmed: 'after you confirmed your address',
};

/** After what a message left, such as 'after quiet hours'; null where no rule had held it. */
export const endWords = (heldBy: string | null | undefined): string | null =>
  heldBy && Object.hasOwn(ends, heldBy) ? (ends[heldBy] ?? null) : null;

/** What holds a message, as the server answers it. */
export interface Hold {
  reason?: string | null;
  /** null: until its owner acts. */
  dueAt?: string | null;
}

/**
 * Until when a rule holds a message, and which: `until 07:00: quiet hours`; null where none does.
 * @param timeZone the account's
 */
export function holdWords({ reason, dueAt }: Hold, now: Date, timeZone: string): string | null {
  if (reason === 'paused') return 'until you resume messages: all messages are paused';
  if (reason === 'unconfirmed') return 'until you confirm your address';
  if (reason === 'suppressed') return 'until mails to your address are resumed: one came back, or was reported as spam';
  if (!reason || !Object.hasOwn(rules, reason) || !dueAt || new Date(dueAt) <= now) return null;
  return `until ${timeOf(dueAt, now, timeZone)}: ${rules[reason]}`;
}

/**
 * What becomes of what waited after the rule that held it has ended.
 * @param alerts what waits of each alert, by channel
 */
export function releasedWords(alerts: readonly (readonly Hold[])[], now: Date, timeZone: string): string {
  const all = alerts.flat();
  const held = all
    .filter((hold) => holdWords(hold, now, timeZone) !== null)
    .toSorted((one, other) => Date.parse(one.dueAt ?? '9999-12-31') - Date.parse(other.dueAt ?? '9999-12-31'));
  const [first] = held;
  if (!first) return 'What waited is on its way.';
  const until = holdWords(first, now, timeZone);
  const heldAlerts = alerts.filter((waiting) => waiting.some((hold) => held.includes(hold))).length;
  if (held.length === all.length && heldAlerts === alerts.length)
    return `What waited still waits${heldAlerts === 1 ? '' : ', the first'} ${until}.`;
  return `${plural(heldAlerts, 'alert')} still ${heldAlerts === 1 ? 'waits' : 'wait, the first'} ${until}. Everything else is on its way.`;
}
