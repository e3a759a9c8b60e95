import { inTransaction, type Pool, type Queryable } from '../../base/database.ts';
import { REMINDER_DAYS } from '../../domain/expiry.ts';
import type { ClaimedMail } from './claimed-mail.ts';
import { keepFitting } from './keep-fitting.ts';
import { lockAlerts } from './lock-alerts.ts';
import { lookAtMails } from './look-at-pairs.ts';

export type SecondLook = { verdict: 'send'; to: string } | { verdict: 'drop' } | { verdict: 'later' };

/** By the mails' ids. */
type SecondLooks = Map<string, SecondLook>;

const drop: SecondLook = { verdict: 'drop' };
const later: SecondLook = { verdict: 'later' };

/** A mail that was claimed before is sent only while its matches may still be announced. */
function lookAtMatches(pool: Pool, mails: readonly ClaimedMail[], confirmEmail: boolean): Promise<SecondLooks> {
  return inTransaction(pool, async (client) => {
    const alertIds = [...new Set(mails.map(({ alertId }) => alertId ?? 0))];
    const looks = await lockAlerts(client, alertIds, confirmEmail);
    const mailIds = mails.map(({ id }) => id);
    const pairs = await keepFitting(client, () => lookAtMails(client, looks.watching, mailIds));
    const tells = new Set(pairs.fitting.map(({ mailId }) => mailId));
    const rematching = new Set(pairs.waiting.map(({ mailId }) => mailId));
    const waits = new Set([...looks.busy, ...looks.rematching]);
    return new Map(
      mails.map(({ id, alertId }): [string, SecondLook] => {
        const alert = looks.watching.get(alertId ?? 0);
        if (alert && rematching.has(id)) return [id, later];
        if (alert) return [id, tells.has(id) ? { verdict: 'send', to: alert.email } : drop];
        return [id, waits.has(alertId ?? 0) ? later : drop];
      }),
    );
  });
}

interface OwnerRow {
  id: number;
  email: string | null;
  confirmed: boolean;
  ending: boolean;
  expired: boolean;
  wanted: boolean;
}

async function lookAtOwners(queryable: Queryable, mails: readonly ClaimedMail[], confirmEmail: boolean) {
  const { rows } = await queryable.query<OwnerRow>(
    `select a.id, u.email, u.email_confirmed_at is not null as confirmed, a.expires_at <= now() as expired,
            a.is_active and a.expires_at > now() and a.expires_at <= now() + interval '${REMINDER_DAYS} days' as ending,
            a.email_notifications as wanted
       from alerts a join users u on u.id = a.user_id where a.id = any($1::int8[]) order by a.id for share of a`,
    [[...new Set(mails.map(({ alertId }) => alertId))]],
  );
  const owners = new Map(rows.map((row) => [row.id, row]));
  return mails.map((mail): [string, SecondLook] => {
    const owner = owners.get(mail.alertId ?? 0);
    if (!owner?.email || (confirmEmail && !owner.confirmed)) return [mail.id, drop];
    const fits = { reminder: owner.ending && owner.wanted, expired: owner.expired && owner.wanted }[mail.kind] ?? true;
    return [mail.id, fits ? { verdict: 'send', to: owner.email } : drop];
  });
}

/**
 * Whether claimed mails may be sent now, and to which address: mails about an alert go to its owner's address of today.
 */
export async function lookAgain(
  pool: Pool,
  mails: readonly ClaimedMail[],
  confirmEmail: boolean,
): Promise<SecondLooks> {
  const matches = mails.filter(({ kind }) => kind === 'match');
  const aboutAlerts = mails.filter(({ kind, alertId }) => kind !== 'match' && alertId !== null);
  const looks: SecondLooks = new Map(mails.map((mail) => [mail.id, { verdict: 'send', to: mail.to }]));
  if (matches.length > 0)
    for (const [id, look] of await lookAtMatches(pool, matches, confirmEmail)) looks.set(id, look);
  if (aboutAlerts.length > 0) {
    for (const [id, look] of await lookAtOwners(pool, aboutAlerts, confirmEmail)) looks.set(id, look);
  }
  return looks;
}
