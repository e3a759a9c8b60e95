import { ClaimScan } from '../../../base/claim-scan.ts';
import { inTransaction, type Pool, type Queryable } from '../../../base/database.ts';
import { TEXT_RETRY_MS } from '../../../domain/text-limits.ts';
import type { Completion } from '../../adapter.ts';
import { BEGINNING, type DueScan, type Placed, placedRows, readPlaced } from '../claim-place.ts';
import type { ClaimedText } from './claim-text.ts';
import { type CountedText, giveSegmentsBack } from './count-segments.ts';
import { endFailing } from './end-failing.ts';
import { stopTexts } from './stop-texts.ts';

export interface TextReceipt {
  /** The vendor's id of an accepted text, where it gives one. */
  sid: string | null;
  /** Whether the vendor refused it because the number had replied STOP. */
  isStopped: boolean;
}

type TextCompletion = Completion<ClaimedText, TextReceipt>;

const countedColumns = 'kind, segments, created_at as "createdAt"';

/**
 * Releases a text that the vendor has certainly not accepted: the text fails, and its notifications wait for another one.
 * They fail with it when every try of the last six hours has failed so, however long a rule has held them before.
 */
async function releaseText(pool: Pool, { claim, error, delayMs }: TextCompletion): Promise<void> {
  const { text, userId, lastTextedAt } = claim;
  await inTransaction(pool, async (client) => {
    // Locks the alert first, as an erasure of its owner locks it before the rows below.
    await client.query('select from alerts where id = $1 and user_id = $2 for no key update', [text.alertId, userId]);
    const { rows } = await client.query<CountedText>(
      `update texts set status = 'failed', error = $2, settled_at = now()
        where id = $1 and user_id = $3 and status = 'sending' returning ${countedColumns}`,
      [text.id, (error ?? 'It was released before it was delivered.').slice(0, 500), userId],
    );
    const [failed] = rows;
    if (!failed) return;
    await giveSegmentsBack(client, failed);
    await client.query({
      name: 'texts-release',
      text: `update notifications
          set status = case when late then 'failed' else 'waiting' end, settled_at = case when late then now() end,
              text_id = case when late then text_id end, due_at = now() + $2 * interval '1 ms'
         from (select id as old, greatest(created_at, (
                        select coalesce(texts_failing_since, now()) from alerts a where a.id = alert_id and a.user_id = $3
                      )) < now() - interval '${TEXT_RETRY_MS} ms' as late
                 from notifications where text_id = $1 and user_id = $3) n
        where id = n.old and user_id = $3 and status = 'sending'`,
      values: [text.id, delayMs, userId],
    });
    await client.query({
      name: 'texts-begin-failing',
      text: `update alerts set last_texted_at = $2, texts_failing_since = coalesce(texts_failing_since, now())
              where id = $1 and user_id = $3`,
      values: [text.alertId, lastTextedAt, userId],
    });
  });
}

type TextOutcome = { status: 'sent'; sid: string | null } | { status: 'failed' | 'unknown'; error: string };

/**
 * Records what became of a text, and of the notifications in it. One that was given up as unknown may still turn out to
 * have been sent; nothing else is overwritten. Returns whether it was recorded.
 */
export async function completeText(
  pool: Pool,
  text: Pick<ClaimedText, 'id' | 'userId'>,
  outcome: TextOutcome,
): Promise<boolean> {
  if (outcome.status !== 'failed') return (await writeOutcome(pool, text, outcome)) !== undefined;
  return inTransaction(pool, async (client) => {
    const failed = await writeOutcome(client, text, outcome);
    if (failed) await giveSegmentsBack(client, failed);
    return failed !== undefined;
  });
}

async function writeOutcome(
  db: Queryable,
  { id, userId }: Pick<ClaimedText, 'id' | 'userId'>,
  outcome: TextOutcome,
): Promise<CountedText | undefined> {
  const { status } = outcome;
  const { rows } = await db.query<CountedText>({
    name: 'complete-text',
    text: `with completed as (
             update texts
                set status = $2, sid = coalesce($3, sid), error = $4, settled_at = now(),
                    sent_at = case when $2 = 'sent' then now() end
              where id = $1 and user_id = $5 and (status = 'sending' or status = 'unknown' and $2 = 'sent') returning *
           ), notified as (
             update notifications n set status = $2, settled_at = now() from completed
              where n.text_id = completed.id and n.user_id = completed.user_id and n.status in ('sending', 'unknown')
           )
           select ${countedColumns} from completed`,
    values: [
      id,
      status,
      status === 'sent' ? outcome.sid : null,
      status === 'sent' ? null : outcome.error.slice(0, 500),
      userId,
    ],
  });
  return rows[0];
}

/** Records the result of a text. */
export async function completeTexts(pool: Pool, completions: readonly TextCompletion[]): Promise<void> {
  for (const completion of completions) {
    const { claim, status, error, receipt } = completion;
    // Not in the statement that completes the text, as an erasure of the owner locks the alert first.
    if (status !== 'waiting') await endFailing(pool, { alertId: claim.text.alertId, userId: claim.userId });
    if (status === 'waiting') await releaseText(pool, completion);
    else if (status === 'sent') await completeText(pool, claim, { status, sid: receipt?.sid ?? null });
    else
      await completeText(pool, claim, {
        status: status === 'unknown' ? 'unknown' : 'failed',
        error: error ?? status,
      });
    if (receipt?.isStopped) await inTransaction(pool, (client) => stopTexts(client, claim.text.to));
  }
}

/** Completes texts that a process left behind as unknown: the vendor may have accepted them, so they are never sent again. */
export async function giveUpStaleTexts(pool: Pool, leaseMs: number, scan: DueScan = new ClaimScan()): Promise<number> {
  const begun = performance.now();
  const from = scan.next();
  const giving = pool.query<Placed<{ id: string }>>({
    name: 'texts-give-up-stale',
    text: `with lost as (
         update texts set status = 'unknown', settled_at = now(), error = 'The process that sent it ended before it knew.'
          where status = 'sending' and created_at < now() - $1 * interval '1 ms' and created_at >= $2 returning id, user_id
       ), notified as (
         update notifications n set status = 'unknown', settled_at = now() from lost
          where n.text_id = lost.id and n.user_id = lost.user_id and n.status = 'sending'
       )
       ${placedRows('lost.id', "now() - $1 * interval '1 ms'", 'lost')}`,
    values: [leaseMs, from ?? BEGINNING],
  });
  const given = await giving.catch((error: unknown) => scan.failed(from, performance.now() - begun, error));
  const { rows, place } = readPlaced(given.rows, 'id');
  scan.done(from, performance.now() - begun, place);
  return rows.length;
}
