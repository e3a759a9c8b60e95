import { type Client, inTransaction, type Pool } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { phoneCodes } from '../../domain/text-limits.ts';
import { lockNumber, lockPhone } from './lock-phone.ts';
import { isCode, readCode } from './phone-code.ts';

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

/** The account that proved it last has the number: carriers give numbers to others, and the older owner's texts end. */
async function takeNumber(client: Client, userId: number, phone: string): Promise<void> {
  await client.query(
    `with former as (
       update users set phone_confirmed_at = null where phone = $2 and phone_confirmed_at is not null and id <> $1
       returning id
     )
     update notifications n set status = 'dropped', settled_at = now() from former f join alerts a on a.user_id = f.id
      where n.alert_id = a.id and n.status = 'waiting' and n.channel = 'sms'`,
    [userId, phone],
  );
  await client.query('update users set phone = $2, phone_confirmed_at = now() where id = $1', [userId, phone]);
}

/** What is wrong with the guess, once it is counted; null where it is right. */
async function guess(client: Client, secret: Secret, userId: number, typed: string): Promise<string | null> {
  const { phone, isConfirmed } = await lockPhone(client, userId);
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
 * Confirms the user's number with the newest code that was texted to it, of which five guesses are taken, counted under
 * the user's lock. The number is then kept as E.164.
 * @throws AppError PLAN_REQUIRED, VALIDATION on `code` or `phone`
 */
export async function confirmPhone(
  { pool, secret }: { pool: Pool; secret: Secret },
  userId: number,
  code: string,
): Promise<void> {
  // Not thrown inside: the guess stays counted.
  const fault = await inTransaction(pool, (client) => guess(client, secret, userId, code));
  if (fault !== null) refuseCode(fault);
}
