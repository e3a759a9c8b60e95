import type { EntityManager } from '@mikro-orm/postgresql';
import { isUniqueViolation } from '../../base/database-fault.ts';
import { AppError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { readToken } from '../../domain/action-links.ts';
import { ApiKey } from '../../entities/api-key.ts';
import { writeAuditLog } from '../../entities/audit-log.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { revokeApiKeys } from '../../keys/manage-api-keys.ts';
import { enqueueMail } from '../../notify/enqueue-mail.ts';
import { isAdmin } from '../../policies/admin.ts';
import { deleteWebhooks } from '../../webhooks/manage/change-webhook.ts';
import { checkEmail, checkNewPassword } from '../account-input.ts';
import { type ConfirmationParts, lockAccount, withMinimumDuration } from '../email/addresses.ts';
import { confirmEmail } from '../email/confirm-email.ts';
import { hashPassword, passwordMark, refuseWeakPassword } from '../passwords.ts';
import { endSessions } from '../sessions/sessions.ts';

/** Longer than it takes to find the accounts and queue their mails. */
const ANSWER_AFTER_MS = 250;
/** Only one account can have confirmed an address, but any number of others can claim it. */
const MAX_ACCOUNTS = 5;

/**
 * Mails a link to every account with this address. The answer and its time are the same when there is none. Each link
 * works for one account only.
 *
 * The account that has confirmed the address comes first. Where addresses need no confirmation, accounts that only claim
 * it get a link too: the mail reaches the owner of the address, so that somebody who claims another person's address
 * gives their account away, and not the reverse. Where confirmation is needed, an unconfirmed address gets only its
 * confirmation, and the link at the next request.
 * @param request `maySend` is false when links for this address were requested too often: then nothing is mailed
 * @throws AppError VALIDATION
 */
export async function requestPasswordReset(
  em: EntityManager,
  parts: ConfirmationParts,
  { email, maySend }: { email: string; maySend: boolean },
): Promise<void> {
  const address = checkEmail(email);
  await withMinimumDuration(ANSWER_AFTER_MS, async () => {
    if (maySend) await em.transactional((tx) => mailLinks(tx, parts, address));
  });
}

interface Account {
  id: number;
  email: string;
  passwordHash: string;
  isConfirmed: boolean;
}

async function mailLinks(em: EntityManager, { confirmEmail }: ConfirmationParts, address: string): Promise<void> {
  const { rows: accounts } = await sqlOf(em).query<Account>(
    `select u.id, u.email, u.password_hash as "passwordHash", u.email_confirmed_at is not null as "isConfirmed"
       from users u left join user_activity a on a.user_id = u.id where lower(u.email) = lower($1)
      order by u.email_confirmed_at is null, greatest(u.last_seen_at, a.last_seen_at) desc limit ${MAX_ACCOUNTS}`,
    [address],
  );
  const hasOwner = accounts.some(({ isConfirmed }) => isConfirmed);
  for (const { id, email, passwordHash, isConfirmed } of accounts) {
    const mail = { userId: id, to: email };
    if (isConfirmed || !confirmEmail) {
      await enqueueMail(sqlOf(em), {
        ...mail,
        kind: 'reset',
        data: { passwordMark: passwordMark(passwordHash, email) },
      });
    } else if (!hasOwner) {
      await enqueueMail(sqlOf(em), { ...mail, kind: 'confirm', data: {} });
    }
  }
}

const refusals = {
  invalid: 'This link is not valid. Please ask for a new one.',
  expired: 'This link has expired. Please ask for a new one.',
  used: 'This link has already been used, or your password or email has changed since. Please ask for a new one.',
} as const;

/** The error is on `fields.token`, which distinguishes a bad link from a bad password. */
function refuseLink(reason: keyof typeof refusals): never {
  throw new AppError('VALIDATION', refusals[reason], { fields: { token: refusals[reason] } });
}

/** The account of a mailed link. */
interface ResetAccount {
  userId: number;
  username: string;
  email: string;
  passwordHash: string;
}

/**
 * Finds the account whose password the token of a mailed link may set now.
 * @throws AppError VALIDATION with `fields.token`
 */
export async function readResetToken(
  em: EntityManager,
  linkSecret: Secret,
  { token, now }: { token: string; now: Date },
): Promise<ResetAccount> {
  const reading = readToken(linkSecret, token, now);
  if (!('claims' in reading) || reading.claims.action !== 'reset') refuseLink('invalid');
  if (!reading.ok) refuseLink('expired');
  const { userId, passwordMark: mark } = reading.claims;
  const { rows } = await sqlOf(em).query<{ username: string; email: string | null; passwordHash: string }>(
    'select username, email, password_hash as "passwordHash" from users where id = $1',
    [userId],
  );
  const [account] = rows;
  const email = account?.email;
  if (!account || !email || passwordMark(account.passwordHash, email) !== mark) refuseLink('used');
  return { ...account, userId, email };
}

/** Access that continues after a new password unless it is ended too. */
interface ResetAccess {
  apiKeys: ApiKey[];
  webhooks: WebhookHost[];
}

/** Shows only the host of a webhook, since its URL may hold a secret. */
interface WebhookHost {
  id: number;
  host: string;
  createdAt: Date;
}

/** Reads the webhooks of an account and its API keys that are not revoked or expired, on any plan, newest first. */
export async function readResetAccess(em: EntityManager, userId: number): Promise<ResetAccess> {
  const living = { userId, revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }] };
  const apiKeys = await em.find(ApiKey, living, { orderBy: { id: 'desc' } });
  const { rows } = await sqlOf(em).query<{ id: number; url: string; createdAt: Date }>(
    'select id, url, created_at as "createdAt" from webhooks where user_id = $1 order by id desc',
    [userId],
  );
  const webhooks = rows.map(({ id, url, createdAt }) => ({
    id,
    host: URL.parse(url)?.host ?? '',
    createdAt,
  }));
  return { apiKeys, webhooks };
}

/** The ids of what is to be ended with the new password. */
interface AccessToEnd {
  apiKeys: readonly number[];
  webhooks: readonly number[];
}

/** What was ended, by the names that its owner knows. */
export interface EndedAccess {
  apiKeys: { name: string; prefix: string }[];
  webhooks: string[];
}

interface Reset {
  token: string;
  newPassword: string;
  now: Date;
  toEnd: AccessToEnd;
}

/**
 * Sets the password of the account of a mailed link. It ends all sessions and the chosen keys and webhooks, cancels a
 * pending change of the address, and confirms the current one, through which the link came. A link works once, also when
 * two calls use it at the same time.
 * @throws AppError VALIDATION with `fields`: `token` for a bad link, else `newPassword`
 */
export async function resetPassword(
  em: EntityManager,
  linkSecret: Secret,
  { token, newPassword, now, toEnd }: Reset,
): Promise<{ username: string; ended: EndedAccess }> {
  const account = await readResetToken(em, linkSecret, { token, now });
  const { userId, username, email } = account;
  checkNewPassword(newPassword);
  await refuseWeakPassword(newPassword, account, 'newPassword');
  const passwordHash = await hashPassword(newPassword);
  const ended = await em.transactional(async (tx) => {
    await lockAccount(tx, userId);
    const { rows: changed } = await sqlOf(tx).query<{ id: unknown }>(
      `update users set password_hash = $1, must_change_password = false, pending_email = null
        where id = $2 and password_hash = $3 and lower(email) = lower($4) returning id`,
      [passwordHash, userId, account.passwordHash, email],
    );
    if (changed.length === 0) refuseLink('used');
    await endSessions(sqlOf(tx), userId, null);
    const gone: EndedAccess = {
      apiKeys: await revokeApiKeys(sqlOf(tx), userId, toEnd.apiKeys),
      webhooks: await deleteWebhooks(sqlOf(tx), userId, toEnd.webhooks),
    };
    if (isAdmin({ id: userId })) {
      const subject = `user ${userId}`;
      await writeAuditLog(sqlOf(tx), { actor: 'admin', action: 'admin.password.reset', subject, outcome: 'done' });
    }
    await confirmUnlessTaken(tx, userId, email);
    // The link came through this address, so that it may be mailed to.
    const data = { at: now.toISOString(), how: 'reset', ended: gone } as const;
    await enqueueMail(sqlOf(tx), { kind: 'password_changed', userId, to: email, data });
    return gone;
  });
  return { username, ended };
}

/** When another account has confirmed the same address, this one stays unconfirmed, and the password is set anyway. */
async function confirmUnlessTaken(em: EntityManager, userId: number, email: string): Promise<void> {
  try {
    await confirmEmail(em, { confirmEmail: true }, { userId, email });
  } catch (error) {
    const isTaken = error instanceof AppError && isUniqueViolation(error.cause);
    if (!isTaken) throw error;
  }
}
