import type { EntityManager } from '@mikro-orm/postgresql';
import { type Encryption, tryDecrypt } from '../../base/encryption.ts';
import { AppError } from '../../base/errors.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import type { MailData } from '../../domain/mail-kinds.ts';
import { SessionRestriction } from '../../domain/session-restriction.ts';
import { writeAuditLog } from '../../entities/audit-log.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { notifyOwner } from '../../notify/notify-owner.ts';
import { isAdmin } from '../../policies/admin.ts';
import { endSessions, holdSession } from '../sessions/sessions.ts';
import type { Viewer } from '../signed-in.ts';
import {
  consumeCode,
  hasSecondFactor,
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  refuseCode,
  totpStep,
  totpUri,
} from './verify-code.ts';

export interface SecondFactorParts {
  /** Encrypts the secret that the app and the account share. */
  secondFactorEncryption: Encryption;
  /** Whether an unconfirmed address gets no mail. */
  confirmEmail: boolean;
}

export interface SecondFactorSetup {
  /** In base32, for typing it in. */
  secret: string;
  /** The content of the QR code. */
  uri: string;
}

/** The state of an account's second factor. */
export interface SecondFactorState {
  since: Date;
  recoveryCodesLeft: number;
}

/** Reads the state; null when the account has no second factor. */
export async function readSecondFactor(em: EntityManager, userId: number): Promise<SecondFactorState | null> {
  const { rows } = await sqlOf(em).query<SecondFactorState>(
    `select confirmed_at as since,
            (select count(*)::int4 from recovery_codes c where c.user_id = f.user_id and used_at is null)
              as "recoveryCodesLeft"
       from second_factors f where user_id = $1 and confirmed_at is not null`,
    [userId],
  );
  const [state] = rows;
  return state ?? null;
}

/**
 * Makes a secret for an app. It has no effect until it is confirmed by a code, and another call replaces it.
 * @throws AppError CONFLICT when the account has a second factor
 */
export async function startSecondFactor(
  em: EntityManager,
  { secondFactorEncryption }: SecondFactorParts,
  viewer: Viewer,
): Promise<SecondFactorSetup> {
  const secret = newTotpSecret();
  const written = await em.transactional(async (tx) => {
    await holdSession(sqlOf(tx), viewer.sessionId);
    const { rows } = await sqlOf(tx).query<{ username: string }>(
      `/* start-second-factor */ insert into second_factors as f (user_id, secret_ciphertext) select id, $1 from users where id = $2
         on conflict (user_id) do update set secret_ciphertext = excluded.secret_ciphertext, created_at = now(), last_step = null
           where f.confirmed_at is null
       returning (select username from users where id = user_id) as username`,
      [secondFactorEncryption.encrypt(secret), viewer.id],
    );
    const [row] = rows;
    return row;
  });
  if (!written) throw new AppError('CONFLICT', 'Your account has a second factor already.');
  return { secret, uri: totpUri(secret, written.username) };
}

/** Replaces all recovery codes by new ones. */
async function writeRecoveryCodes(tx: EntityManager, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  await sqlOf(tx).query('delete from recovery_codes where user_id = $1', [userId]);
  await sqlOf(tx).query('insert into recovery_codes (user_id, code_hash) select $1, unnest($2::text[])', [
    userId,
    codes.map(recoveryCodeHash),
  ]);
  return codes;
}

/** Mails the owner, and writes a change of the admin's to the audit log. */
async function reportChange(
  tx: EntityManager,
  viewer: Viewer,
  {
    what,
    action,
    confirmEmail,
  }: Pick<MailData['second_factor_changed'], 'what'> & {
    action: AuditAction;
    confirmEmail: boolean;
  },
): Promise<void> {
  if (isAdmin(viewer)) {
    await writeAuditLog(sqlOf(tx), { actor: 'admin', action, subject: `user ${viewer.id}`, outcome: 'done' });
  }
  const data = { at: new Date().toISOString(), what };
  await notifyOwner(sqlOf(tx), { userId: viewer.id, kind: 'second_factor_changed', data, confirmEmail });
}

/**
 * Turns the second factor on: each login needs a code from now on, and all other sessions end.
 * @returns the recovery codes, which are shown only once
 * @throws AppError VALIDATION on `code`, CONFLICT when it was not started or is on already
 */
export async function confirmSecondFactor(
  em: EntityManager,
  { secondFactorEncryption, confirmEmail }: SecondFactorParts,
  viewer: Viewer,
  { code, now }: { code: string; now: Date },
): Promise<string[]> {
  return em.transactional(async (tx) => {
    // A concurrent login locks this row too, once its session is stored.
    await sqlOf(tx).query('/* lock-owner-of-factor */ select 1 from users where id = $1 for update', [viewer.id]);
    await holdSession(sqlOf(tx), viewer.sessionId);
    const { rows } = await sqlOf(tx).query<{ ciphertext: string }>(
      'select secret_ciphertext as ciphertext from second_factors where user_id = $1 and confirmed_at is null for update',
      [viewer.id],
    );
    const [begun] = rows;
    if (!begun) throw new AppError('CONFLICT', 'Please request a new secret for your app first.');
    const secret = tryDecrypt(secondFactorEncryption, begun.ciphertext);
    const step = secret === null ? null : totpStep(secret, code.replaceAll(/\s/g, ''), now);
    if (step === null) refuseCode();
    await sqlOf(tx).query('update second_factors set confirmed_at = $1, last_step = $2 where user_id = $3', [
      now,
      step,
      viewer.id,
    ]);
    const codes = await writeRecoveryCodes(tx, viewer.id);
    await endSessions(sqlOf(tx), viewer.id, viewer.sessionId);
    if (viewer.restrictedTo === SessionRestriction.secondFactor) {
      await sqlOf(tx).query("update session set sess = (sess::jsonb - 'restrictedTo')::json where sid = $1", [
        viewer.sessionId,
      ]);
    }
    await reportChange(tx, viewer, { what: 'on', action: 'admin.second-factor.on', confirmEmail });
    return codes;
  });
}

/** @throws AppError VALIDATION on `code`, CONFLICT when there is no second factor */
async function consumeOwnCode(
  em: EntityManager,
  { secondFactorEncryption }: SecondFactorParts,
  given: { userId: number; code: string; now: Date },
): Promise<void> {
  if (!(await hasSecondFactor(em, given.userId))) {
    throw new AppError('CONFLICT', 'Your account has no second factor.');
  }
  // In a transaction of its own: the code stays used up even when what follows fails.
  await consumeCode(em, secondFactorEncryption, given);
}

/** Replaces the recovery codes. @throws AppError VALIDATION on `code`, CONFLICT when there is no second factor */
export async function renewRecoveryCodes(
  em: EntityManager,
  parts: SecondFactorParts,
  viewer: Viewer,
  given: { code: string; now: Date },
): Promise<string[]> {
  await consumeOwnCode(em, parts, { userId: viewer.id, ...given });
  return em.transactional(async (tx) => {
    const { rows: held } = await sqlOf(tx).query('select 1 from second_factors where user_id = $1 for update', [
      viewer.id,
    ]);
    if (held.length === 0) throw new AppError('CONFLICT', 'Your account has no second factor.');
    const codes = await writeRecoveryCodes(tx, viewer.id);
    const { confirmEmail } = parts;
    await reportChange(tx, viewer, { what: 'new_codes', action: 'admin.recovery-codes.renew', confirmEmail });
    return codes;
  });
}

/** Turns the second factor off. @throws AppError VALIDATION on `code`, CONFLICT when there is none */
export async function endSecondFactor(
  em: EntityManager,
  parts: SecondFactorParts,
  viewer: Viewer,
  given: { code: string; now: Date },
): Promise<void> {
  await consumeOwnCode(em, parts, { userId: viewer.id, ...given });
  await em.transactional(async (tx) => {
    const { rows: ended } = await sqlOf(tx).query('delete from second_factors where user_id = $1 returning 1', [
      viewer.id,
    ]);
    if (ended.length === 0) throw new AppError('CONFLICT', 'Your account has no second factor.');
    const { confirmEmail } = parts;
    await reportChange(tx, viewer, { what: 'off', action: 'admin.second-factor.off', confirmEmail });
  });
}
