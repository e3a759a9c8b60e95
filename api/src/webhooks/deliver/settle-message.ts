import { type Client, inTransaction, type Pool } from '../../base/database.ts';
import { TEST_EVENT } from '../../domain/webhooks/message.ts';
import { isGivenUp, nextTryInMs, restMs } from '../../domain/webhooks/retry-plan.ts';
import { queueMail } from '../../entities/shared/queue-mail.ts';
import type { Message } from './claim-messages.ts';
import type { Outcome } from './send-message.ts';

const GONE = 410;

interface Held {
  url: string;
  state: string;
  failuresInRow: number;
  failingForMs: number;
}

/** Always the webhook first and its messages then: whoever claims does so too. */
async function hold(client: Client, webhookId: number): Promise<Held | undefined> {
  const { rows } = await client.query<Held>({
    name: 'webhooks-hold',
    text: `select url, state, failures_in_row as "failuresInRow",
                  coalesce(extract(epoch from now() - failing_since) * 1000, 0)::float8 as "failingForMs"
             from webhooks where id = $1 for no key update`,
    values: [webhookId],
  });
  return rows[0];
}

/** @returns whether the message is still at this try; null when it is gone */
async function note(client: Client, message: Message, { statusCode, ms, error, answer }: Outcome) {
  const { rows } = await client.query<{ isOurs: boolean }>({
    name: 'webhooks-note',
    text: `with told as materialized (
             select id, user_id, status, tries from webhook_deliveries where id = $1 for no key update
           ), noted as (
             insert into webhook_attempts (user_id, delivery_id, status_code, ms, error, answer)
             select user_id, id, $2::int4, $3::int4, $4::text, $5::text from told
           )
           select status = 'sending' and tries = $6 as "isOurs" from told`,
    values: [message.id, statusCode, ms, error, answer, message.tries],
  });
  return rows[0]?.isOurs ?? null;
}

/** What failed before may come through now: it waits no longer. */
async function settleTaken(client: Client, message: Message, { failuresInRow }: Held): Promise<void> {
  await client.query({
    name: 'webhooks-taken',
    text: `update webhook_deliveries set status = 'delivered', settled_at = now(), resend_requested = false where id = $1`,
    values: [message.id],
  });
  if (failuresInRow === 0) return;
  await client.query(
    'update webhooks set failures_in_row = 0, failing_since = null, backoff_until = null where id = $1',
    [message.webhookId],
  );
  await client.query(
    `update webhook_deliveries set next_try_at = now() where webhook_id = $1 and status = 'waiting' and next_try_at > now()`,
    [message.webhookId],
  );
}

async function pause(
  client: Client,
  message: Message,
  url: string,
  because: 'failures' | 'gone',
  confirmEmail: boolean,
) {
  await client.query(`update webhooks set state = 'paused', paused_because = $2, paused_at = now() where id = $1`, [
    message.webhookId,
    because,
  ]);
  const { rows } = await client.query<{ email: string }>(
    'select email from users where id = $1 and email is not null and (not $2 or email_confirmed_at is not null)',
    [message.userId, confirmEmail],
  );
  const [owner] = rows;
  if (!owner) return;
  const data = { webhookId: message.webhookId, host: URL.parse(url)?.host ?? '', because };
  await queueMail(client, { kind: 'webhook_paused', userId: message.userId, to: owner.email, data });
}

/** Its owner sees what came of it, and may ask for another. */
async function settleTest(client: Client, message: Message): Promise<void> {
  await client.query(
    `update webhook_deliveries set status = 'failed', settled_at = now(), resend_requested = false where id = $1 and tries = $2`,
    [message.id, message.tries],
  );
}

async function settleFailed(
  client: Client,
  message: Message,
  outcome: Outcome,
  held: Held,
  { confirmEmail, random }: SettleOptions,
): Promise<void> {
  const failures = held.failuresInRow + 1;
  await client.query({
    name: 'webhooks-failed',
    text: `update webhooks set failures_in_row = $2, failing_since = coalesce(failing_since, now()),
                  backoff_until = now() + $3 * interval '1 ms' where id = $1`,
    values: [message.webhookId, failures, restMs(failures, outcome.retryAfterSeconds)],
  });
  const isGone = outcome.statusCode === GONE;
  const nextInMs = isGone ? null : nextTryInMs(message.tries, random());
  const givesUp = nextInMs === null && !isGone && isGivenUp(failures, held.failingForMs);
  // What a webhook is paused for waits with all that comes after it.
  const ends = nextInMs === null && !givesUp;
  await client.query({
    name: 'webhooks-again',
    text: `update webhook_deliveries
              set status = case when $3 then 'failed' else 'waiting' end, settled_at = case when $3 then now() end,
                  resend_requested = false, next_try_at = now() + $4 * interval '1 ms'
            where id = $1 and status = 'sending' and tries = $2`,
    values: [message.id, message.tries, ends, nextInMs ?? 0],
  });
  if (held.state === 'active' && (isGone || givesUp))
    await pause(client, message, held.url, isGone ? 'gone' : 'failures', confirmEmail);
}

export interface SettleOptions {
  /** Whether an unconfirmed address gets nothing. */
  confirmEmail: boolean;
  /** 0 to 1. */
  random(): number;
}

/**
 * Records what came of a try: taken, to be tried again, or tried for the last time. A webhook that answers 410, or took
 * nothing for as long as a message is tried, is paused, and its owner gets a mail.
 */
export async function settleMessage(
  pool: Pool,
  message: Message,
  outcome: Outcome,
  options: SettleOptions,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const held = await hold(client, message.webhookId);
    const isOurs = held ? await note(client, message, outcome) : null;
    // It was deleted meanwhile.
    if (!held || isOurs === null) return;
    if (outcome.taken) await settleTaken(client, message, held);
    // Left behind for so long that another try counts.
    else if (!isOurs) return;
    else if (message.type === TEST_EVENT) await settleTest(client, message);
    else await settleFailed(client, message, outcome, held, options);
  });
}

/** Gives back what a worker that stops has not brought to its end. */
export async function giveBack(pool: Pool, message: Message): Promise<void> {
  await pool.query(
    `update webhook_deliveries set status = 'waiting', next_try_at = now(), tries = tries - 1
      where id = $1 and status = 'sending' and tries = $2`,
    [message.id, message.tries],
  );
}
