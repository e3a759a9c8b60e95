import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { locks } from '../../base/advisory-lock.ts';
import { type Client, inTransaction, type Pool } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { inRetriedTransaction } from '../../base/retried-transaction.ts';
import { allOf, newestOf, type Secret } from '../../base/secret.ts';
import { textsNeedPlan } from '../../domain/forms/plan-refusals.ts';
import { countryNames, countryOf, maskedPhone, toPhoneNumber } from '../../domain/phone-number.ts';
import { isPaidPlan } from '../../domain/plan-list.ts';
import { phoneCodes, TEXTS_MISSING } from '../../domain/text-limits.ts';
import { hasStoppedTexts } from '../../entities/notification-rules.ts';
import { codeText, segments } from '../../messages/texts.ts';
import { writeCodeText } from '../../notify/channels/sms/claim-text.ts';
import { completeText } from '../../notify/channels/sms/complete-texts.ts';
import { countSegments, type TextRules } from '../../notify/channels/sms/count-segments.ts';
import { dropTexts, stopTexts } from '../../notify/channels/sms/stop-texts.ts';
import { type Texter, TextNotAccepted, TextRefused } from '../../vendors/texts/text.ts';

function refusePhone(message: string): never {
  throw new AppError('VALIDATION', message, { fields: { phone: message } });
}

interface LockedPhone {
  /** E.164. */
  phone: string;
  isConfirmed: boolean;
}

/**
 * Locks the user's row until the transaction ends and reads the number. The plan must include texts, and the number be in
 * one of the countries.
 * @throws AppError UNAUTHENTICATED, PLAN_REQUIRED, VALIDATION on `phone` when there is none, or none that can get texts
 */
async function lockPhone(client: Client, { countries }: TextRules, userId: number): Promise<LockedPhone> {
  const { rows } = await client.query<{ planId: number; phone: string | null; isConfirmed: boolean }>(
    `/* lock-phone */ select plan_id as "planId", phone, phone_confirmed_at is not null as "isConfirmed"
       from users where id = $1 for no key update`,
    [userId],
  );
  const [user] = rows;
  if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  if (!isPaidPlan(user.planId)) throw new AppError('PLAN_REQUIRED', textsNeedPlan, { needsUpgrade: true });
  if (user.phone === null) refusePhone('Please add a phone number first');
  const phone = toPhoneNumber(user.phone) ?? refusePhone('Please enter a phone number that can get text messages');
  if (!countries.includes(countryOf(phone) ?? ''))
    refusePhone(`We can text only numbers of these countries: ${countryNames(countries)}`);
  return { phone, isConfirmed: user.isConfirmed };
}

/** Serialises the codes of a number across accounts. It must be taken after the lock on the user's row. */
async function lockNumber(client: Client, phone: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${locks.phone}, hashtext($1))`, [phone]);
}

/** The account and number that a code confirms. */
interface CodeOf {
  userId: number;
  /** E.164. */
  phone: string;
}

function newCode(): string {
  return String(randomInt(10 ** phoneCodes.digits)).padStart(phoneCodes.digits, '0');
}

/** The stored hash of a code. It is keyed with a secret outside the database, since six digits are easily tried. */
export function codeHash(secret: Secret, { userId, phone }: CodeOf, code: string): Buffer {
  return createHmac('sha256', newestOf(secret)).update(`phone code\n${userId}\n${phone}\n${code}`).digest();
}

/** Compares in constant time. A code that was texted under an earlier secret is accepted too. */
export function isCode(secret: Secret, of: CodeOf, code: string, kept: Buffer): boolean {
  return allOf(secret).some((one) => {
    const hash = codeHash(one, of, code);
    return hash.length === kept.length && timingSafeEqual(hash, kept);
  });
}

/** Reads '123 456' as '123456'; null for a text that can't be a code. */
function readCode(typed: string): string | null {
  const digits = typed.replaceAll(/[\s-]/g, '');
  return digits.length === phoneCodes.digits && /^\d+$/.test(digits) ? digits : null;
}

export interface PhoneParts {
  pool: Pool;
  log: Log;
  /** null when texts are not set up. */
  texter: Texter | null;
  /** The sender's number, if it is known. */
  textsFrom: string | null;
  /** The key of the hashes of codes. */
  secret: Secret;
  rules: TextRules;
}

interface WaitingCode {
  textId: string;
  phone: string;
  code: string;
}

const DAY_S = 86_400;
const secondsLeftOfDay = (now: Date): number => Math.ceil(DAY_S - ((now.getTime() / 1000) % DAY_S));

const NOT_SENT = 'The code could not be sent. Please try again in a few minutes.';

function stoppedMessage(from: string | null): string {
  return `This number replied STOP. Text START ${from === null ? 'to us' : `to ${from}`} to get texts again.`;
}

/** Seconds until another code may be sent, by the limits of the account and of the number; 0 when it may be sent now. */
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

async function writeCode(
  client: Client,
  parts: PhoneParts,
  userId: number,
): Promise<WaitingCode | 'confirmed' | 'limit'> {
  const { phone, isConfirmed } = await lockPhone(client, parts.rules, userId);
  if (isConfirmed) return 'confirmed';
  await lockNumber(client, phone);
  const stops = await client.query<{ isStopped: boolean }>(`select ${hasStoppedTexts('$1')} as "isStopped"`, [phone]);
  if (stops.rows[0]?.isStopped) throw new AppError('CONFLICT', stoppedMessage(parts.textsFrom));
  const wait = await secondsToWait(client, userId, phone);
  if (wait > 0) {
    const message = 'Too many codes were asked for. Please wait a few minutes and try again.';
    throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: wait });
  }
  const code = newCode();
  // Nothing was written yet, so that only the count of the operators' mail is committed.
  if (!(await countSegments(client, 'code', segments(codeText(code)), parts.rules))) return 'limit';
  await client.query('insert into phone_codes (user_id, phone, code_hash) values ($1, $2, $3)', [
    userId,
    phone,
    codeHash(parts.secret, { userId, phone }, code),
  ]);
  const textId = await writeCodeText(client, { userId, phone, text: codeText(code) });
  return { textId, phone, code };
}

/**
 * Texts a code to the user's number: at most three in ten minutes and ten in a day, by account and by number. The code
 * itself is not stored.
 * @returns a message for the user
 * @throws AppError NOT_CONFIGURED, PLAN_REQUIRED, VALIDATION on `phone`, CONFLICT after STOP, RATE_LIMITED, VENDOR
 */
export async function sendPhoneCode(parts: PhoneParts, userId: number): Promise<string> {
  const { pool, texter, log } = parts;
  if (texter === null) throw new AppError('NOT_CONFIGURED', TEXTS_MISSING);
  const waiting = await inTransaction(pool, (client) => writeCode(client, parts, userId));
  if (waiting === 'confirmed') return 'Your phone number is already confirmed.';
  if (waiting === 'limit') {
    const message = 'No more codes can be texted today. Please try again tomorrow.';
    throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: secondsLeftOfDay(new Date()) });
  }
  const { textId: id, phone, code } = waiting;
  const text = { id, kind: 'code', to: phone, text: codeText(code), alertId: null, matchIds: [], notificationIds: [] };
  try {
    const { sid } = await texter.send(text);
    await completeText(pool, { id, userId }, { status: 'sent', sid });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn('phone code not sent', { text: id, reason });
    const isOver = error instanceof TextRefused || error instanceof TextNotAccepted;
    await completeText(pool, { id, userId }, { status: isOver ? 'failed' : 'unknown', error: reason });
    if (!isOver) return `We tried to text a code to ${maskedPhone(phone)}. If none comes, ask for another in a minute.`;
    throw await handleRefusal(parts, phone, error);
  }
  return `We texted a code to ${maskedPhone(phone)}.`;
}

/** Returns the error for a text that the vendor did not accept. A number that replied STOP is recorded. */
async function handleRefusal(
  parts: PhoneParts,
  phone: string,
  error: TextRefused | TextNotAccepted,
): Promise<AppError> {
  if (error instanceof TextRefused && error.because === 'stopped') {
    await inRetriedTransaction(parts.pool, (client) => stopTexts(client, phone));
    return new AppError('CONFLICT', stoppedMessage(parts.textsFrom), { cause: error });
  }
  if (error instanceof TextRefused && error.because === 'number') {
    const message = 'Please enter a phone number that can get text messages';
    return new AppError('VALIDATION', message, { fields: { phone: message }, cause: error });
  }
  return new AppError('VENDOR', NOT_SENT, { cause: error });
}

const WRONG = "That isn't the code. Please check the newest text.";
const LAST = 'That was one try too many for this code. Please ask for a new one.';
const GONE = 'This code has expired. Please ask for a new one.';

interface CodeRow {
  id: number;
  hash: Buffer;
  guesses: number;
  isAlive: boolean;
}

function refuseCode(message: string): never {
  throw new AppError('VALIDATION', message, { fields: { code: message } });
}

/** Gives the number to the account that confirmed it last, since carriers reassign numbers. The former owner gets no more texts. */
async function takeNumber(client: Client, userId: number, phone: string): Promise<void> {
  const { rows: former } = await client.query<{ id: number }>(
    `update users set phone_confirmed_at = null where phone = $2 and phone_confirmed_at is not null and id <> $1
     returning id`,
    [userId, phone],
  );
  await dropTexts(
    client,
    former.map(({ id }) => id),
  );
  await client.query('update users set phone = $2, phone_confirmed_at = now() where id = $1', [userId, phone]);
}

/** Counts the guess and returns what is wrong with it; null when it is right. */
async function guess(
  client: Client,
  { secret, rules }: Pick<PhoneParts, 'secret' | 'rules'>,
  userId: number,
  typed: string,
): Promise<string | null> {
  const { phone, isConfirmed } = await lockPhone(client, rules, userId);
  if (isConfirmed) return null;
  const code = readCode(typed);
  if (code === null) return `Please enter the ${phoneCodes.digits} digits of the code`;
  await lockNumber(client, phone);
  const { rows } = await client.query<CodeRow>(
    `select id, code_hash as hash, guesses, used_at is null and expires_at > clock_timestamp() as "isAlive"
       from phone_codes where user_id = $1 and phone = $2 order by id desc limit 1`,
    [userId, phone],
  );
  const [kept] = rows;
  if (!kept?.isAlive) return GONE;
  if (kept.guesses >= phoneCodes.guesses) return LAST;
  const isRight = isCode(secret, { userId, phone }, code, kept.hash);
  await client.query(
    'update phone_codes set guesses = guesses + 1, used_at = case when $2 then now() end where id = $1',
    [kept.id, isRight],
  );
  if (!isRight) return kept.guesses + 1 < phoneCodes.guesses ? WRONG : LAST;
  await takeNumber(client, userId, phone);
  return null;
}

/**
 * Confirms the user's number with the newest code that was texted to it, and stores the number as E.164. A code can be
 * guessed five times, counted under the lock on the user.
 * @throws AppError PLAN_REQUIRED, VALIDATION on `code` or `phone`
 */
export async function confirmPhone(
  parts: Pick<PhoneParts, 'pool' | 'secret' | 'rules'>,
  userId: number,
  code: string,
): Promise<void> {
  // An error inside would roll back the count of guesses.
  const fault = await inTransaction(parts.pool, (client) => guess(client, parts, userId, code));
  if (fault !== null) refuseCode(fault);
}
