import type { TakenMail } from '../provider/provider.ts';
import type { AlertLog, Span } from '../world/journal.ts';
import type { TimelyMail } from './collect.ts';
import { type Disturbances, type Explained, judgeTakes } from './judge-mails.ts';

export interface TimelyVerdict {
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
