import { randomUUID } from 'node:crypto';
import { type Client, inTransaction, type Pool } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Secret } from '../../base/secret.ts';
import { maskedPhone } from '../../domain/phone-number.ts';
import { phoneCodes, TEXTS_MISSING } from '../../domain/text-limits.ts';
import { completeText, hasStoppedTexts, stopTexts } from '../../entities/shared/texts.ts';
import { codeText, segments } from '../../messages/texts.ts';
import { type Texter, TextNotTaken, TextRefused } from '../../vendors/texts/text.ts';
import { lockNumber, lockPhone } from './lock-phone.ts';
import { codeHash, newCode } from './phone-code.ts';

export interface PhoneParts {
  pool: Pool;
  log: Log;
  /** null where texts are not set up. */
  texter: Texter | null;
  /** The number that texts come from, where there is one. */
  textsFrom: string | null;
  /** Codes are hashed with it. */
  secret: Secret;
}

interface WaitingCode {
  textId: string;
  phone: string;
  code: string;
}

const NOT_SENT = 'The code could not be sent. Please try again in a few minutes.';

function stoppedMessage(from: string | null): string {
  return `This number replied STOP. Text START ${from === null ? 'to us' : `to ${from}`} to get texts again.`;
}

/** Seconds until one more code may leave, by account and by number; 0 when it may now. */
async function secondsToWait(client: Client, userId: number, phone: string): Promise<number> {
  const limits = [
    { most: phoneCodes.inTenMinutes, within: '10 minutes' },
    { most: phoneCodes.inADay, within: '24 hours' },
  ];
  let longest = 0;
  for (const { most, within } of limits) {
    const { rows } = await client.query<{ seconds: number }>(
      `select ceil(extract(epoch from created_at + interval '${within}' - now()))::int as seconds from (
         (select created_at from phone_codes where user_id = $1 order by created_at desc offset ${most - 1} limit 1)
         union all
         (select created_at from phone_codes where phone = $2 order by created_at desc offset ${most - 1} limit 1)) c`,
      [userId, phone],
    );
    longest = Math.max(longest, ...rows.map(({ seconds }) => seconds));
  }
  return longest;
}

async function writeCode(client: Client, parts: PhoneParts, userId: number): Promise<WaitingCode | null> {
  const { phone, isConfirmed } = await lockPhone(client, userId);
  if (isConfirmed) return null;
  await lockNumber(client, phone);
  const stops = await client.query<{ isStopped: boolean }>(`select ${hasStoppedTexts('$1')} as "isStopped"`, [phone]);
  if (stops.rows[0]?.isStopped) throw new AppError('CONFLICT', stoppedMessage(parts.textsFrom));
  const wait = await secondsToWait(client, userId, phone);
  if (wait > 0) {
    const message = 'Too many codes were asked for. Please wait a few minutes and try again.';
    throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: wait });
  }
  const code = newCode();
  const textId = randomUUID();
  await client.query('insert into phone_codes (user_id, phone, code_hash) values ($1, $2, $3)', [
    userId,
    phone,
    codeHash(parts.secret, { userId, phone }, code),
  ]);
  await client.query(`insert into texts (id, kind, user_id, to_phone, segments) values ($1, 'code', $2, $3, $4)`, [
    textId,
    userId,
    phone,
    segments(codeText(code)),
  ]);
  return { textId, phone, code };
}

/**
 * Texts a code to the user's number: at most three in ten minutes and ten in a day, by account and by number alike.
 * Returns what to tell the user. The code itself is nowhere but in the text.
 * @throws AppError NOT_CONFIGURED, PLAN_REQUIRED, VALIDATION on `phone`, CONFLICT after STOP, RATE_LIMITED, VENDOR
 */
export async function sendPhoneCode(parts: PhoneParts, userId: number): Promise<string> {
  const { pool, texter, log } = parts;
  if (texter === null) throw new AppError('NOT_CONFIGURED', TEXTS_MISSING);
  const waiting = await inTransaction(pool, (client) => writeCode(client, parts, userId));
  if (waiting === null) return 'Your phone number is already confirmed.';
  const { textId: id, phone, code } = waiting;
  const text = { id, kind: 'code', to: phone, text: codeText(code), alertId: null, matchIds: [], notificationIds: [] };
  try {
    const { sid } = await texter.send(text);
    await completeText(pool, id, { status: 'sent', sid });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn('a code was not texted', { text: id, reason });
    const isOver = error instanceof TextRefused || error instanceof TextNotTaken;
    await completeText(pool, id, { status: isOver ? 'failed' : 'unknown', error: reason });
    if (!isOver) return `We tried to text a code to ${maskedPhone(phone)}. If none comes, ask for another in a minute.`;
    throw await refusal(parts, phone, error);
  }
  return `We texted a code to ${maskedPhone(phone)}.`;
}

async function refusal(parts: PhoneParts, phone: string, error: TextRefused | TextNotTaken): Promise<AppError> {
  if (error instanceof TextRefused && error.because === 'stopped') {
    await inTransaction(parts.pool, (client) => stopTexts(client, phone));
    return new AppError('CONFLICT', stoppedMessage(parts.textsFrom), { cause: error });
  }
  if (error instanceof TextRefused && error.because === 'number') {
    const message = 'Please enter a phone number that can get text messages';
    return new AppError('VALIDATION', message, { fields: { phone: message }, cause: error });
  }
  return new AppError('VENDOR', NOT_SENT, { cause: error });
}
