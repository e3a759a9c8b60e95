import { type Client, inTransaction, type Pool } from '../base/database.ts';
import { REMINDER_DAYS } from '../domain/expiry.ts';
import { STALE_MS } from '../domain/pacing.ts';
import type { ClaimedMail } from './claimed-mail.ts';
import { dropNotifications, lockAlert, lookAtPairs } from './look-again.ts';

const dueMail = `(status = 'waiting' and next_try_at <= now()
  or status = 'sending' and claimed_at <= now() - interval '${STALE_MS} ms')`;

/** Mails whose time has come: new ones, ones to try again, and ones that a sender left behind. */
export async function findDueMails(pool: Pool, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from mails where status in ('waiting', 'sending') and ${dueMail} order by next_try_at limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Takes one such mail; null when another sender has it. `leftBehind`: it may have been handed over before. */
export async function claimQueued(pool: Pool, id: string): Promise<(ClaimedMail & { leftBehind: boolean }) | null> {
  const { rows } = await pool.query<ClaimedMail & { leftBehind: boolean }>(
    `with due as (select id, status from mails where id = $1 and ${dueMail} for update skip locked)
     update mails m set status = 'sending', claimed_at = now(), attempts = m.attempts + 1 from due where m.id = due.id
     returning m.id, m.kind, m.user_id as "userId", m.alert_id as "alertId", m.to_address as "to", m.data, m.attempts,
               m.created_at as "createdAt", due.status = 'sending' as "leftBehind"`,
    [id],
  );
  return rows[0] ?? null;
}

export type SecondLook = { verdict: 'send'; to: string } | { verdict: 'drop' } | { verdict: 'later' };

const drop: SecondLook = { verdict: 'drop' };

/** A mail that was claimed before is tried again only while its matches may still be announced. */
async function lookAtMatches(client: Client, mail: ClaimedMail, confirmEmail: boolean): Promise<SecondLook> {
  const look = await lockAlert(client, mail.alertId ?? 0, confirmEmail);
  if (look.state === 'busy' || look.state === 'rematching') return { verdict: 'later' };
  if (look.state !== 'watching') return drop;
  const { fitting, failing } = await lookAtPairs(client, look.alert, mail.id);
  await dropNotifications(client, failing);
  return fitting.length > 0 ? { verdict: 'send', to: look.alert.email } : drop;
}

interface OwnerRow {
  email: string | null;
  confirmed: boolean;
  ending: boolean;
  expired: boolean;
  wanted: boolean;
}

async function lookAtAlert(client: Client, mail: ClaimedMail, confirmEmail: boolean): Promise<SecondLook> {
  const { rows } = await client.query<OwnerRow>(
    `select u.email, u.email_confirmed_at is not null as confirmed, a.expires_at <= now() as expired,
            a.is_active and a.expires_at > now() and a.expires_at <= now() + interval '${REMINDER_DAYS} days' as ending,
            a.email_notifications as wanted
       from alerts a join users u on u.id = a.user_id where a.id = $1 for share of a`,
    [mail.alertId],
  );
  const row = rows[0];
  if (!row?.email || (confirmEmail && !row.confirmed)) return drop;
  const fits = { reminder: row.ending && row.wanted, expired: row.expired && row.wanted }[mail.kind] ?? true;
  return fits ? { verdict: 'send', to: row.email } : drop;
}

/** Whether a claimed mail may be sent now, and to which address. Mails about an alert go to its owner's address of today. */
export function lookAgain(pool: Pool, mail: ClaimedMail, confirmEmail: boolean): Promise<SecondLook> {
  return inTransaction(pool, (client) => {
    if (mail.kind === 'match') return lookAtMatches(client, mail, confirmEmail);
    if (mail.alertId !== null) return lookAtAlert(client, mail, confirmEmail);
    return Promise.resolve({ verdict: 'send' as const, to: mail.to });
  });
}
