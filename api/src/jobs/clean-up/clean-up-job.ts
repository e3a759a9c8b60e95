import { purgeFormerEmails } from '../../accounts/email/purge-former-emails.ts';
import { purgeMailCounts } from '../../accounts/email/purge-mail-counts.ts';
import { purgeCodes } from '../../accounts/phone/purge-codes.ts';
import { purgeTries } from '../../accounts/purge-tries.ts';
import { purgeEvents } from '../../billing/process-events.ts';
import { purgeContactMails, purgeContactMessages } from '../../contact/purge-contact-messages.ts';
import { purgeKeys } from '../../entities/idempotency-key.ts';
import { purgeHours, purgeLags } from '../../intake/count-intake.ts';
import { purgeExcessQuarantined, purgeOldQuarantined } from '../../intake/quarantine.ts';
import { purgeApiKeys, purgeApiUsage } from '../../keys/key-usage.ts';
import {
  purgeMailPaces,
  purgeOrphanedCells,
  purgeOrphanedMatches,
  purgeOrphanedNotifications,
} from '../../matching/purge-matching.ts';
import { deleteIdleAccount, warnIdleAccounts } from '../../rights/idle-accounts.ts';
import { expireWaitingMessages, purgeMessages } from '../../webhooks/deliver/purge-messages.ts';
import { type CleanUpStep, type StepParts, stepJob } from './step-job.ts';

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The outbox of a machine without mail and text providers is for trying things out: it can be read for this long. */
const OUTBOX_DAYS = 30;

interface CleanUpParts extends StepParts {
  /** Whether an unconfirmed address gets no mails. */
  confirmEmail: boolean;
  /** Removes the mails and texts from the outbox that were sent before that time. @returns how many it removed */
  purgeOutbox(before: Date): Promise<number>;
}

/** Purges what has been kept long enough, step by step; no step needs another. */
export const cleanUpSteps: readonly CleanUpStep<CleanUpParts>[] = [
  { name: 'old-quarantine', everyMs: FIVE_MINUTES, run: purgeOldQuarantined },
  { name: 'quarantine-bounds', everyMs: FIVE_MINUTES, run: (client, batch) => purgeExcessQuarantined(client, batch) },
  { name: 'source-hours', everyMs: HOUR, run: purgeHours },
  { name: 'source-lags', everyMs: HOUR, run: purgeLags },
  { name: 'orphaned-cells', everyMs: HOUR, run: purgeOrphanedCells },
  { name: 'orphaned-matches', everyMs: HOUR, run: purgeOrphanedMatches },
  { name: 'orphaned-notifications', everyMs: HOUR, run: purgeOrphanedNotifications },
  { name: 'alert-paces', everyMs: HOUR, run: purgeMailPaces },
  { name: 'rate-limits', everyMs: HOUR, run: purgeTries },
  { name: 'idempotency-keys', everyMs: HOUR, run: purgeKeys },
  { name: 'waiting-webhook-messages', everyMs: HOUR, run: expireWaitingMessages },
  // A message goes with its deliveries and their tries.
  { name: 'webhook-messages', everyMs: HOUR, rows: 1_000, run: purgeMessages },
  { name: 'api-keys', everyMs: HOUR, run: purgeApiKeys },
  { name: 'api-usage', everyMs: HOUR, run: purgeApiUsage },
  { name: 'phone-codes', everyMs: HOUR, run: purgeCodes },
  { name: 'former-emails', everyMs: HOUR, run: purgeFormerEmails },
  { name: 'mail-counts', everyMs: HOUR, run: purgeMailCounts },
  { name: 'billing-events', everyMs: HOUR, run: purgeEvents },
  { name: 'contact-messages', everyMs: DAY, run: purgeContactMessages },
  { name: 'contact-mails', everyMs: DAY, run: purgeContactMails },
  {
    name: 'outbox',
    everyMs: DAY,
    run: async (_client, _piece, { purgeOutbox }) => ({
      after: null,
      removed: await purgeOutbox(new Date(Date.now() - OUTBOX_DAYS * DAY)),
    }),
  },
  {
    name: 'idle-warnings',
    everyMs: DAY,
    run: (client, batch, { confirmEmail }) => warnIdleAccounts(confirmEmail)(client, batch),
  },
  { name: 'idle-accounts', everyMs: DAY, run: deleteIdleAccount },
];

export const cleanUpJob = stepJob({ name: 'clean-up', steps: cleanUpSteps });
