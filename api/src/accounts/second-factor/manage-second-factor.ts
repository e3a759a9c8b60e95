import type { EntityManager } from '@mikro-orm/postgresql';
import { type Encryption, tryDecrypt } from '../../base/encryption.ts';
import { AppError } from '../../base/errors.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import { SessionRestriction } from '../../domain/session-restriction.ts';
import { endSessions } from '../../entities/shared/end-sessions.ts';
import { holdSession } from '../../entities/shared/hold-session.ts';
import type { MailData } from '../../entities/shared/queue-mail.ts';
import { tellOwnerWith } from '../../entities/shared/tell-owner.ts';
import { writeAuditLogWith } from '../../entities/shared/write-audit-log.ts';
import { isAdmin } from '../../policies/admin.ts';
import type { Viewer } from '../signed-in.ts';
import { hasSecondFactor, refuseCode, spendCode } from './prove-code.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';
import { newTotpSecret, totpStep, totpUri } from './totp.ts';

export interface SecondFactorParts {
  /** Encrypts what an app and an account share. */
  secondFactorEncryption: Encryption;
  /** Mails go to confirmed addresses alone. */
  confirmEmail: boolean;
}

export interface SecondFactorSetup {
  /** Base32, to be typed where no camera is. */
  secret: string;
  /** What the QR code holds. */
  uri: string;
}

/** How an account's second factor stands. */
export interface SecondFactorState {
  since: Date;
  recoveryCodesLeft: number;
}

/** null where there is none. */
export async function readSecondFactor(em: EntityManager, userId: number): Promise<SecondFactorState | null> {
  const [state] = await em.execute<{ since: string; recoveryCodesLeft: number }[]>(
    `select confirmed_at as since,
            (select count(*)::int4 from recovery_codes c where c.user_id = f.user_id and used_at is null)
              as "recoveryCodesLeft"
       from second_factors f where user_id = ? and confirmed_at is not null`,
    [userId],
  );
  return state ? { ...state, since: new Date(state.since) } : null;
}

/**
 * Makes a secret for an app, which counts for nothing until a code of it is given. Asked again, another one.
 * @throws AppError CONFLICT where there is a second factor
 */
export async function startSecondFactor(
  em: EntityManager,
  { secondFactorEncryption }: SecondFactorParts,
  viewer: Viewer,
): Promise<SecondFactorSetup> {
  const secret = newTotpSecret();
  const written = await em.transactional(async (tx) => {
    await holdSession(tx, viewer.sessionId);
    const [row] = await tx.execute<{ username: string }[]>(
      `insert into second_factors as f (user_id, secret_ciphertext) select id, ? from users where id = ?
         on conflict (user_id) do update set secret_ciphertext = excluded.secret_ciphertext, created_at = now(), last_step = null
           where f.confirmed_at is null
       returning (select username from users where id = user_id) as username`,
      [secondFactorEncryption.encrypt(secret), viewer.id],
    );
    return row;
  });
  if (!written) throw new AppError('CONFLICT', 'Your account has a second factor already.');
  return { secret, uri: totpUri(secret, written.username) };
}

/** Writes new codes in the place of all before. */
async function writeRecoveryCodes(tx: EntityManager, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.execute('delete from recovery_codes where user_id = ?', [userId]);
  await tx.execute(`insert into recovery_codes (user_id, code_hash) values ${codes.map(() => '(?, ?)').join(', ')}`, [
    ...codes.flatMap((code) => [userId, recoveryCodeHash(code)]),
  ]);
  return codes;
}

/** Into the audit log where it is the admin's, and by mail to the owner. */
async function tellOfChange(
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
    await writeAuditLogWith(tx, { actor: 'admin', action, subject: `user ${viewer.id}`, outcome: 'done' });
  }
  const data = { at: new Date().toISOString(), what };
  await tellOwnerWith(tx, { userId: viewer.id, kind: 'second_factor_changed', data, confirmEmail });
}

/**
 * From now on each login asks for a code. All other sessions end.
 * @returns the recovery codes, which are never shown again
 * @throws AppError VALIDATION on `code`, CONFLICT where nothing was started or it is done already
 */
export async function confirmSecondFactor(
  em: EntityManager,
  { secondFactorEncryption, confirmEmail }: SecondFactorParts,
  viewer: Viewer,
  { code, now }: { code: string; now: Date },
): Promise<string[]> {
  return em.transactional(async (tx) => {
    // A login that is under way looks at this row once its session is there.
    await tx.execute('select 1 from users where id = ? for update', [viewer.id]);
    await holdSession(tx, viewer.sessionId);
    const [begun] = await tx.execute<{ ciphertext: string }[]>(
      'select secret_ciphertext as ciphertext from second_factors where user_id = ? and confirmed_at is null for update',
      [viewer.id],
    );
    if (!begun) throw new AppError('CONFLICT', 'Please start with a new secret for your app.');
    const secret = tryDecrypt(secondFactorEncryption, begun.ciphertext);
    const step = secret === null ? null : totpStep(secret, code.replaceAll(/\s/g, ''), now);
    if (step === null) refuseCode();
    await tx.execute('update second_factors set confirmed_at = ?, last_step = ? where user_id = ?', [
      now,
      step,
      viewer.id,
    ]);
    const codes = await writeRecoveryCodes(tx, viewer.id);
    await endSessions(tx, viewer.id, viewer.sessionId);
    if (viewer.restrictedTo === SessionRestriction.secondFactor) {
      await tx.execute("update session set sess = (sess::jsonb - 'restrictedTo')::json where sid = ?", [
        viewer.sessionId,
      ]);
    }
    await tellOfChange(tx, viewer, { what: 'on', action: 'admin.second-factor.on', confirmEmail });
    return codes;
  });
}

/** @throws AppError VALIDATION on `code`, CONFLICT where there is no second factor */
async function proveOwnCode(
  em: EntityManager,
  { secondFactorEncryption }: SecondFactorParts,
  given: { userId: number; code: string; now: Date },
): Promise<void> {
  if (!(await hasSecondFactor(em, given.userId))) {
    throw new AppError('CONFLICT', 'Your account has no second factor.');
  }
  // By itself: a code that was tried is used up, whatever follows fails of.
  await spendCode(em, secondFactorEncryption, given);
}

/** @throws AppError VALIDATION on `code`, CONFLICT where there is no second factor */
export async function renewRecoveryCodes(
  em: EntityManager,
  parts: SecondFactorParts,
  viewer: Viewer,
  given: { code: string; now: Date },
): Promise<string[]> {
  await proveOwnCode(em, parts, { userId: viewer.id, ...given });
  return em.transactional(async (tx) => {
    const held = await tx.execute<unknown[]>('select 1 from second_factors where user_id = ? for update', [viewer.id]);
    if (held.length === 0) throw new AppError('CONFLICT', 'Your account has no second factor.');
    const codes = await writeRecoveryCodes(tx, viewer.id);
    const { confirmEmail } = parts;
    await tellOfChange(tx, viewer, { what: 'new_codes', action: 'admin.recovery-codes.renew', confirmEmail });
    return codes;
  });
}

/** @throws AppError VALIDATION on `code`, CONFLICT where there is no second factor */
export async function endSecondFactor(
  em: EntityManager,
  parts: SecondFactorParts,
  viewer: Viewer,
  given: { code: string; now: Date },
): Promise<void> {
  await proveOwnCode(em, parts, { userId: viewer.id, ...given });
  await em.transactional(async (tx) => {
    const ended = await tx.execute<unknown[]>('delete from second_factors where user_id = ? returning 1', [viewer.id]);
    if (ended.length === 0) throw new AppError('CONFLICT', 'Your account has no second factor.');
    const { confirmEmail } = parts;
    await tellOfChange(tx, viewer, { what: 'off', action: 'admin.second-factor.off', confirmEmail });
  });
}
