import type { Pool } from '../../../base/database.ts';
import type { Completion } from '../../adapter.ts';
import type { ClaimedPush } from './claim-pushes.ts';

/** A device that may accept a message later. */
export interface LeftDevice {
  id: number;
  error: string;
  /** After how many milliseconds it is called. */
  delayMs: number;
  /** What became of the call that was made to it now: it failed, or the shutdown ended it; null: it was not called. */
  call: 'failed' | 'stopped' | null;
  /** How many of its calls have failed since its push service last answered. */
  failures: number;
}

/** What the push services answered for each device. */
export interface PushReceipt {
  accepted: readonly number[];
  /** Devices whose browsers have ended the subscription. */
  gone: readonly number[];
  refused: readonly { id: number; error: string }[];
  left: readonly LeftDevice[];
}

/** Whether no device was called, as all that are left wait for a time or for room. */
export const isUncalled = ({ accepted, gone, refused, left }: PushReceipt): boolean =>
  accepted.length + gone.length + refused.length === 0 && left.every(({ call }) => call === null);

export type PushCompletion = Completion<ClaimedPush, PushReceipt>;

/** Removes devices of a user whose browsers have ended their subscriptions. */
export async function removeDevices(pool: Pool, userId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await pool.query('delete from push_subscriptions where user_id = $1 and id = any($2::int8[])', [userId, ids]);
}

async function recordDevices(pool: Pool, userId: number, receipt: PushReceipt): Promise<void> {
  const { accepted, gone, refused, left } = receipt;
  if (accepted.length > 0) {
    await pool.query({
      name: 'pushes-devices-accepted',
      text: `update push_subscriptions
                set last_success_at = now(), last_error = null, failures = 0, failing_since = null, retry_at = null
              where user_id = $1 and id = any($2::int8[])`,
      values: [userId, accepted],
    });
  }
  // Each was removed at its own answer, unless that failed.
  await removeDevices(pool, userId, gone);
  // A push service that refuses a message has answered, and so delays nobody.
  const failed = [
    ...refused.map((one) => ({ ...one, delayMs: null })),
    ...left.filter(({ call }) => call === 'failed'),
  ];
  if (failed.length === 0) return;
  await pool.query({
    name: 'pushes-devices-failed',
    text: `update push_subscriptions s
              set last_error = f.error, failing_since = coalesce(s.failing_since, now()), last_failed_at = now(),
                  failures = s.failures + case when f.delay_ms is null then 0 else 1 end,
                  retry_at = now() + f.delay_ms * interval '1 ms'
             from unnest($2::int8[], $3::text[], $4::float8[]) f (id, error, delay_ms) where s.user_id = $1 and s.id = f.id`,
    values: [
      userId,
      failed.map(({ id }) => id),
      failed.map(({ error }) => error.slice(0, 500)),
      failed.map(({ delayMs }) => delayMs),
    ],
  });
}

/**
 * Records the result of a message, if its claim is still valid. A message that one device has accepted counts as sent, also
 * where others never accept it.
 */
async function completePush(pool: Pool, completion: PushCompletion): Promise<void> {
  const { claim, status, error, delayMs, isTried, receipt } = completion;
  if (receipt) await recordDevices(pool, claim.userId, receipt);
  const isWaiting = status === 'waiting';
  // A message whose attempts count may have been announced.
  const isAttempt = isTried && !(receipt && isUncalled(receipt));
  await pool.query({
    name: 'pushes-complete',
    text: `with done as (
         update pushes
            set status = case when $3 <> 'waiting' and (sent_at is not null or $4) then 'sent' else $3 end,
                sent_at = coalesce(sent_at, case when $4 then now() end), devices = coalesce($5::int8[], devices),
                error = coalesce($6, error), next_try_at = now() + $7 * interval '1 ms',
                attempts_before = attempts_before + case when $8 then 0 else 1 end
          where id = $1 and user_id = $9 and attempts = $2 and status = 'sending' returning id, user_id, status
       )
       update notifications n set status = done.status, settled_at = now()
         from done where n.push_id = done.id and n.user_id = done.user_id and n.status = 'sending' and done.status <> 'waiting'`,
    values: [
      claim.id,
      claim.attempts,
      status,
      (receipt?.accepted.length ?? 0) > 0 || status === 'sent',
      isWaiting ? (receipt?.left.map(({ id }) => id) ?? null) : null,
      error,
      delayMs,
      isAttempt || !isWaiting,
      claim.userId,
    ],
  });
}

/** Records the results of messages, and removes the subscriptions that their browsers have ended. */
export async function completePushes(pool: Pool, completions: readonly PushCompletion[]): Promise<void> {
  for (const completion of completions) await completePush(pool, completion);
}
