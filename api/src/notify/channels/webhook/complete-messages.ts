import { type Client, inTransaction, type Pool } from '../../../base/database.ts';
import { TEST_EVENT } from '../../../domain/webhooks/message.ts';
import { shouldPauseWebhook, webhookBackoffMs } from '../../../domain/webhooks/retry-plan.ts';
import type { Completion } from '../../adapter.ts';
import { enqueueMail } from '../../enqueue-mail.ts';
import type { ClaimedMessage } from './claim-messages.ts';

/** The answer of a receiver. */
export interface WebhookReceipt {
  /** Null where there was no answer. */
  statusCode: number | null;
  ms: number;
  /** The first 1,000 characters. */
  answer: string | null;
  retryAfterSeconds: number | null;
}

export const GONE = 410;

export type MessageCompletion = Completion<ClaimedMessage, WebhookReceipt>;

interface LockedWebhook {
  url: string;
  state: string;
  failuresInRow: number;
  failingForMs: number;
}

/** Locks the webhook, before its messages as a claim does. */
async function lockWebhook(client: Client, { webhookId, userId }: ClaimedMessage): Promise<LockedWebhook | undefined> {
  const { rows } = await client.query<LockedWebhook>({
    name: 'webhooks-lock',
    text: `select url, state, failures_in_row as "failuresInRow",
                  coalesce(extract(epoch from now() - failing_since) * 1000, 0)::float8 as "failingForMs"
             from webhooks where id = $1 and user_id = $2 for no key update`,
    values: [webhookId, userId],
  });
  return rows[0];
}

/** Records the attempt for the owner. Returns whether the message is still in this claim; null when it is gone. */
async function recordTry(client: Client, { claim, error }: MessageCompletion, receipt: WebhookReceipt) {
  const { rows } = await client.query<{ isClaimValid: boolean }>({
    name: 'webhooks-record-try',
    text: `with message as materialized (
             select id, user_id, status, next_try_at from webhook_deliveries where id = $1 and user_id = $7 for no key update
           ), recorded as (
             insert into webhook_attempts (user_id, delivery_id, status_code, ms, error, answer)
             select user_id, id, $2::int4, $3::int4, $4::text, $5::text from message
           )
           select status = 'sending' and next_try_at = $6::timestamptz as "isClaimValid" from message`,
    values: [claim.id, receipt.statusCode, receipt.ms, error, receipt.answer, claim.leasedUntil, claim.userId],
  });
  return rows[0]?.isClaimValid ?? null;
}

/** Completes an accepted message. Messages that failed before become due, as they may be accepted now. */
async function completeAccepted(
  client: Client,
  { id, webhookId, userId }: ClaimedMessage,
  webhook: LockedWebhook,
): Promise<void> {
  await client.query({
    name: 'webhooks-accepted',
    text: `update webhook_deliveries set status = 'delivered', settled_at = now(), resend_requested = false where id = $1 and user_id = $2`,
    values: [id, userId],
  });
  if (webhook.failuresInRow === 0) return;
  await client.query(
    'update webhooks set failures_in_row = 0, failing_since = null, backoff_until = null where id = $1 and user_id = $2',
    [webhookId, userId],
  );
  await client.query(
    `update webhook_deliveries set next_try_at = now()
      where webhook_id = $1 and user_id = $2 and status = 'waiting' and next_try_at > now()`,
    [webhookId, userId],
  );
}

async function pause(
  client: Client,
  { webhookId, userId }: ClaimedMessage,
  url: string,
  because: 'failures' | 'gone',
  confirmEmail: boolean,
): Promise<void> {
  await client.query(
    `update webhooks set state = 'paused', paused_because = $2, paused_at = now() where id = $1 and user_id = $3`,
    [webhookId, because, userId],
  );
  const { rows } = await client.query<{ email: string }>(
    'select email from users where id = $1 and email is not null and (not $2 or email_confirmed_at is not null)',
    [userId, confirmEmail],
  );
  const [owner] = rows;
  if (!owner) return;
  const data = { webhookId, host: URL.parse(url)?.host ?? '', because };
  await enqueueMail(client, { kind: 'webhook_paused', userId, to: owner.email, data });
}

/** Ends or defers a message, if it is still in this claim. */
async function endOrDefer(
  client: Pick<Pool, 'query'>,
  { claim, delayMs }: MessageCompletion,
  ends: boolean,
): Promise<void> {
  await client.query({
    name: 'webhooks-end-or-defer',
    text: `update webhook_deliveries
              set status = case when $3 then 'failed' else 'waiting' end, settled_at = case when $3 then now() end,
                  resend_requested = false, next_try_at = now() + $4 * interval '1 ms'
            where id = $1 and user_id = $5 and status = 'sending' and next_try_at = $2::timestamptz`,
    values: [claim.id, claim.leasedUntil, ends, delayMs, claim.userId],
  });
}

async function completeFailed(
  client: Client,
  completion: MessageCompletion,
  receipt: WebhookReceipt,
  webhook: LockedWebhook,
  confirmEmail: boolean,
): Promise<void> {
  const { claim, status } = completion;
  const failures = webhook.failuresInRow + 1;
  await client.query({
    name: 'webhooks-failed',
    text: `update webhooks set failures_in_row = $2, failing_since = coalesce(failing_since, now()),
                  backoff_until = now() + $3 * interval '1 ms' where id = $1 and user_id = $4`,
    values: [claim.webhookId, failures, webhookBackoffMs(failures, receipt.retryAfterSeconds), claim.userId],
  });
  const isGone = receipt.statusCode === GONE;
  const givesUp = status === 'failed' && !isGone && shouldPauseWebhook(failures, webhook.failingForMs);
  // A message because of which its webhook is paused waits, as do all later ones.
  await endOrDefer(client, completion, status === 'failed' && !givesUp);
  if (webhook.state === 'active' && (isGone || givesUp))
    await pause(client, claim, webhook.url, isGone ? 'gone' : 'failures', confirmEmail);
}

/**
 * Records an attempt: accepted, to be retried, or the last one. A webhook that answers 410, or accepts nothing for as long as
 * a message is retried, is paused, and its owner gets a mail. A message that was not delivered for an internal reason waits,
 * and does not count against the webhook. @param confirmEmail whether an unconfirmed address gets no mail
 */
export async function completeMessage(pool: Pool, completion: MessageCompletion, confirmEmail: boolean): Promise<void> {
  const { claim, status, receipt, isTried } = completion;
  if (!isTried) {
    await pool.query(
      `update webhook_deliveries
          set status = 'waiting', next_try_at = now() + $3 * interval '1 ms', tries = tries - 1
        where id = $1 and user_id = $4 and status = 'sending' and next_try_at = $2::timestamptz`,
      [claim.id, claim.leasedUntil, completion.delayMs, claim.userId],
    );
    return;
  }
  if (receipt === null) return endOrDefer(pool, completion, status === 'failed');
  await inTransaction(pool, async (client) => {
    const webhook = await lockWebhook(client, claim);
    const isClaimValid = webhook ? await recordTry(client, completion, receipt) : null;
    // The message was deleted meanwhile.
    if (!webhook || isClaimValid === null) return;
    if (status === 'sent') await completeAccepted(client, claim, webhook);
    // Its claim was lost, and another attempt counts.
    else if (!isClaimValid) return;
    // A test is not retried: its owner sees the result, and may send another.
    else if (claim.type === TEST_EVENT) await endOrDefer(client, completion, true);
    else await completeFailed(client, completion, receipt, webhook, confirmEmail);
  });
}
