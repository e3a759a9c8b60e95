import { inTransaction, type Pool, type Queryable } from '../../../base/database.ts';
import { REMINDER_DAYS } from '../../../domain/expiry.ts';
import { isCarMail } from '../../../domain/mail-kinds.ts';
import { isSuppressed } from '../../../entities/notification-rules.ts';
import { keysOf } from '../../../entities/owned-rows.ts';
import type { Verdict } from '../../adapter.ts';
import { type Hold, messageHold } from '../delivery-settings.ts';
import { holdMessages } from '../hold-messages.ts';
import { readMessagePairs, revalidatePairs } from '../revalidate-matches.ts';
import type { ClaimedMail } from './claim-mails.ts';
import { lockAlerts } from './lock-alerts.ts';

type Verdicts = [string, Verdict<ClaimedMail>][];

const drop = { verdict: 'drop' } as const;
const later = { verdict: 'later' } as const;
const deliverTo = (mail: ClaimedMail, to: string) => ({ verdict: 'deliver', claim: { ...mail, to } }) as const;

/** A match mail may be delivered while it has a match that may still be announced. */
function validateMatches(pool: Pool, mails: readonly ClaimedMail[], confirmEmail: boolean): Promise<Verdicts> {
  return inTransaction(pool, async (client) => {
    const alerts = new Map(mails.map(({ alertId, userId }) => [alertId, { alertId: alertId ?? 0, userId }]));
    const locked = await lockAlerts(client, [...alerts.values()], confirmEmail);
    const pairs = await revalidatePairs(client, () => readMessagePairs(client, locked.watching, 'mail_id', mails));
    const valid = Map.groupBy(pairs.valid, ({ messageId }) => messageId);
    const rematching = new Set(pairs.waiting.map(({ messageId }) => messageId));
    const waits = new Set([...locked.busy, ...locked.rematching.map(({ alertId }) => alertId)]);
    const byAddress = new Map([...locked.unconfirmed, ...locked.suppressed].map((one) => [one.alertId, one]));
    const held: { claim: ClaimedMail; hold: Hold }[] = [];
    const verdicts = mails.map((mail): Verdicts[number] => {
      const { id, alertId } = mail;
      const alert = locked.watching.get(alertId ?? 0);
      if (!alert && waits.has(alertId ?? 0)) return [id, later];
      if (alert && rematching.has(id)) return [id, later];
      const rows = valid.get(id) ?? [];
      if (alert && rows.length === 0) return [id, drop];
      const hold = alert ? messageHold(alert.settings, rows, alert.lockedAt) : byAddress.get(alertId ?? 0);
      if (hold) held.push({ claim: mail, hold });
      if (hold) return [id, { verdict: 'held' }];
      return [id, alert ? deliverTo(mail, alert.email) : drop];
    });
    await holdMessages(client, 'mails', held);
    return verdicts;
  });
}

interface OwnerRow {
  id: number;
  email: string | null;
  confirmed: boolean;
  ending: boolean;
  expired: boolean;
  wanted: boolean;
  suppressed: boolean;
}

async function validateByOwner(
  queryable: Queryable,
  mails: readonly ClaimedMail[],
  confirmEmail: boolean,
): Promise<Verdicts> {
  const { rows } = await queryable.query<OwnerRow>({
    name: 'notify-owners',
    text: `select a.id, u.email, u.email_confirmed_at is not null as confirmed, a.expires_at <= now() as expired,
            a.is_active and a.expires_at > now() and a.expires_at <= now() + interval '${REMINDER_DAYS} days' as ending,
            a.email_notifications as wanted, ${isSuppressed('u.email')} as suppressed
       from alerts a join users u on u.id = a.user_id
      where a.id = any($1::int8[]) and a.user_id = any($2::int8[]) order by a.id for share of a`,
    values: keysOf(mails.map(({ alertId, userId }) => ({ id: alertId, userId }))),
  });
  const owners = new Map(rows.map((row) => [row.id, row]));
  return mails.map((mail): Verdicts[number] => {
    const owner = owners.get(mail.alertId ?? 0);
    if (!owner?.email || owner.suppressed || (confirmEmail && !owner.confirmed)) return [mail.id, drop];
    const fits = { reminder: owner.ending && owner.wanted, expired: owner.expired && owner.wanted }[mail.kind] ?? true;
    return [mail.id, fits ? deliverTo(mail, owner.email) : drop];
  });
}

/**
 * Decides whether claimed mails may be delivered now, and to which address: mails about an alert go to the current address
 * of its owner.
 */
export async function validateMails(
  pool: Pool,
  mails: readonly ClaimedMail[],
  confirmEmail: boolean,
): Promise<ReadonlyMap<string, Verdict<ClaimedMail>>> {
  const matches = mails.filter(({ kind }) => isCarMail(kind));
  const aboutAlerts = mails.filter(({ kind, alertId }) => !isCarMail(kind) && alertId !== null);
  return new Map<string, Verdict<ClaimedMail>>([
    ...mails.map((mail): Verdicts[number] => [mail.id, deliverTo(mail, mail.to)]),
    ...(matches.length > 0 ? await validateMatches(pool, matches, confirmEmail) : []),
    ...(aboutAlerts.length > 0 ? await validateByOwner(pool, aboutAlerts, confirmEmail) : []),
  ]);
}
