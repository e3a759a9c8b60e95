import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../base/database.ts';
import { STALE_MS } from '../domain/throttle.ts';
import type { ClaimedMail } from './claim/claimed-mail.ts';
import { gather } from './hand-over/gather.ts';
import { freshenAll, handOver, isStale } from './hand-over/hand-over.ts';
import { makeLanes } from './hand-over/lanes.ts';
import { makeSentRecorder } from './hand-over/settle.ts';
import { makeVendorPace } from './hand-over/vendor-pace.ts';
import type { Rendered } from './render/render-mails.ts';
import { type Outcome, type Sender, type SendParts, SOON_MS } from './sender.ts';
import { dueAlerts, type Taken, takeAlerts, takeQueued } from './take-due.ts';

export interface SendResult {
  sent: number;
  delayed: number;
  failed: number;
  dropped: number;
  /** Milliseconds until the next row is due, by the database's clock; null when nothing waits. */
  nextDueInMs: number | null;
}

const PARALLEL = 32;
/** Mails claimed in one transaction: as many as the lanes hand over before the look at them is stale. */
const FIRST_BATCH = 50;
const LEAST_BATCH = 8;
const MOST_BATCH = 200;
/** How often new work is looked for while the lanes wait for a slow vendor. */
const IDLE_MS = 200;
/** Rows that just became due, or that somebody holds for a moment. */
const AT_ONCE_MS = 25;

function makeSender(parts: SendParts): Sender {
  const record = makeSentRecorder(parts.pool, parts.log, parts.signal);
  const recording = new Set<Promise<unknown>>();
  const held = new Set<string>();
  const sender: Sender = {
    ...parts,
    freshen: gather((mails: readonly ClaimedMail[]) => freshenAll(sender, mails)),
    staleMs: parts.mailer.staleMs ?? STALE_MS,
    pace: makeVendorPace(),
    held,
    skipped: new Map(),
    recordSent(mail) {
      const recorded: Promise<unknown> = record(mail)
        .catch((error: unknown) => parts.log.error('a sent mail was not recorded', { mail: mail.id, error }))
        .finally(() => {
          recording.delete(recorded);
          held.delete(mail.id);
        });
      recording.add(recorded);
    },
    async recorded() {
      await Promise.all(recording);
    },
  };
  return sender;
}

async function nextDueInMs(pool: Pool, staleMs: number): Promise<number | null> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select extract(epoch from least(
       (select min(due_at) from notifications where status = 'waiting' and channel = 'email'),
       (select min(next_try_at) from mails where status = 'waiting'),
       (select min(claimed_at) from mails where status = 'sending') + $1 * interval '1 ms'
     ) - clock_timestamp())::float8 * 1000 as ms`,
    [staleMs],
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : Math.ceil(ms);
}

type Counts = Record<Outcome, number>;

/** Claims and hands over until nothing more can be claimed. Ends only when nothing is in hand any more. */
async function sendAll(sender: Sender, counts: Counts): Promise<void> {
  let batch = FIRST_BATCH;
  let tooMany = false;
  const settled = (mail: ClaimedMail, outcome: Outcome) => {
    if (outcome !== 'sent') sender.held.delete(mail.id);
    counts[outcome] += 1;
  };
  const lanes = makeLanes<Rendered>(sender.parallel ?? PARALLEL, async (ready) => {
    const { mail } = ready;
    if (isStale(ready)) tooMany = true;
    const outcome = await handOver(sender, ready).catch((error: unknown): Outcome => {
      sender.log.error('a mail could not be handled', { mail: mail.id, error });
      return 'busy';
    });
    settled(mail, outcome);
  });
  const nextBatch = () => {
    if (tooMany) batch = Math.max(LEAST_BATCH, batch >> 1);
    else if (lanes.waiting === 0) batch = Math.min(MOST_BATCH, batch * 2);
    tooMany = false;
    return batch;
  };
  let due: number[] = [];
  const take = async (limit: number): Promise<Taken> => {
    const queued = await takeQueued(sender, limit);
    if (!queued.done) return queued;
    if (due.length === 0) due = await dueAlerts(sender);
    return takeAlerts(sender, due.splice(0, limit));
  };
  const low = sender.parallel ?? PARALLEL;
  try {
    while (!sender.signal?.aborted) {
      const room = lanes.waiting < low ? sender.pace.room(lanes.inHand) : 0;
      if (room > 0) {
        const taken = await take(Math.min(room, nextBatch()));
        for (const ready of taken.ready) {
          if ('outcome' in ready) settled(ready.mail, ready.outcome);
          else lanes.add([ready]);
        }
        if (!taken.done) continue;
      }
      if (lanes.inHand === 0) break;
      if (room > 0) await Promise.race([lanes.idle(), sleep(IDLE_MS)]);
      else await lanes.change();
    }
  } finally {
    await lanes.idle();
    await sender.recorded();
  }
}

/**
 * Makes the sender of a process: each call sends everything that is due, several mails in parallel, and returns when
 * nothing more can be sent. Any number of processes may send at once: rows are claimed under a lock, and only then
 * handed over. What the vendor asked of one mail is kept to by all, from one call to the next.
 */
export function makeMailSender(parts: SendParts): () => Promise<SendResult> {
  const sender = makeSender(parts);
  return async () => {
    const counts: Counts = { sent: 0, delayed: 0, failed: 0, dropped: 0, progressed: 0, busy: 0 };
    await sendAll(sender, counts);
    const { sent, delayed, failed, dropped } = counts;
    const next = await nextDueInMs(sender.pool, sender.staleMs);
    const soonest = Math.max(sender.pace.heldMs(), sender.skipped.size > 0 ? SOON_MS : AT_ONCE_MS);
    return { sent, delayed, failed, dropped, nextDueInMs: next === null ? null : Math.max(soonest, next) };
  };
}

/** One call of a sender that is made for it. */
export function sendDueMails(parts: SendParts): Promise<SendResult> {
  return makeMailSender(parts)();
}
