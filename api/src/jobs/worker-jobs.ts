import type { Pool } from '../base/database.ts';
import type { BillingParts } from '../billing/billing-parts.ts';
import { settleDuePayments } from '../billing/events/settle-due-payments.ts';
import { untilNextCandidate } from '../intake/same-car/photo-candidates.ts';
import { makeMailSender } from '../notify/send-due-mails.ts';
import type { SendParts } from '../notify/sender.ts';
import { makeTextSender, type TextParts } from '../notify/texts/send-due-texts.ts';
import { untilNextPoll } from '../sources/claim-source.ts';
import { cleanUpJob } from './clean-up/clean-up-job.ts';
import { type CleanUpWorld, cleanUpSteps } from './clean-up/steps.ts';
import { comparePhotos, type PhotoDeps } from './compare-photos.ts';
import { expireJob } from './expire-job.ts';
import { matchJobs } from './match-jobs.ts';
import { type PollDeps, pollDueSources } from './poll/poll-source.ts';
import { purgeJob } from './purge-job.ts';
import { type RenewParts, renewSecretsJob } from './renew-secrets-job.ts';
import type { Job } from './schedule/runner.ts';
import type { WebhookJobs } from './webhook-jobs.ts';

export interface WorkerParts {
  pool: Pool;
  poll: PollDeps;
  send: SendParts;
  texts: TextParts;
  photos: PhotoDeps;
  webhooks: Pick<WebhookJobs, 'events' | 'deliver'>;
  billing: BillingParts;
  secrets: Pick<RenewParts, 'sealed' | 'hasFormer'>;
  purgeOutbox: CleanUpWorld['purgeOutbox'];
  /** Aborted at shutdown: a job that drains many batches stops after the one it is at. */
  signal: AbortSignal;
}

/**
 * Every job of the worker; `match`, `lookBack`, `send`, `sendTexts`, `photos`, `events`, `deliver` and `billing` are
 * also woken by NOTIFY.
 */
export function workerJobs(parts: WorkerParts): {
  poll: Job;
  match: Job;
  lookBack: Job;
  send: Job;
  sendTexts: Job;
  photos: Job;
  billing: Job;
  expire: Job;
  cleanUp: Job;
  purge: Job;
  renewSecrets: Job;
  events: Job;
  deliver: Job;
} {
  const { pool, signal } = parts;
  const sendMails = makeMailSender(parts.send);
  const { events, deliver } = parts.webhooks;
  const sendTexts = makeTextSender(parts.texts);
  return {
    poll: {
      name: 'poll-sources',
      everyMs: 5_000,
      async run() {
        await pollDueSources(parts.poll);
        return { nextInMs: await untilNextPoll(pool) };
      },
    },
    ...matchJobs(pool, signal),
    send: {
      name: 'send-notifications',
      everyMs: 5_000,
      async run() {
        const { nextDueInMs } = await sendMails();
        return { nextInMs: nextDueInMs };
      },
    },
    sendTexts: {
      // By names of their own: a worker that can't send texts must not run instead of one that can.
      name: parts.texts.texter === null ? 'drop-texts' : 'send-texts',
      everyMs: 5_000,
      async run() {
        const { nextDueInMs } = await sendTexts();
        return { nextInMs: nextDueInMs };
      },
    },
    photos: {
      name: 'compare-photos',
      everyMs: 60_000,
      async run() {
        while ((await comparePhotos(parts.photos)) > 0 && !signal.aborted);
        return { nextInMs: await untilNextCandidate(pool) };
      },
    },
    billing: {
      name: 'settle-payments',
      everyMs: 60_000,
      async run() {
        return { nextInMs: await settleDuePayments(parts.billing, pool) };
      },
    },
    expire: expireJob({ pool, confirmEmail: parts.send.confirmEmail, signal }),
    cleanUp: cleanUpJob({
      name: 'clean-up',
      steps: cleanUpSteps({ confirmEmail: parts.send.confirmEmail, purgeOutbox: parts.purgeOutbox }),
      pool,
      signal,
      log: parts.send.log,
    }),
    events,
    deliver,
    purge: purgeJob({ pool, signal, log: parts.send.log }),
    renewSecrets: renewSecretsJob({ pool, signal, log: parts.send.log, ...parts.secrets }),
  };
}
