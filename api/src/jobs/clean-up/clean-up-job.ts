import type { DatabaseAddress } from '../../base/database-address.ts';
import { purgeListings } from '../../intake/purge-listings.ts';
import { purgeExcessQuarantined } from '../../intake/quarantine.ts';
import { retireUnseen } from '../../intake/retire-listings.ts';
import { purgeOrphans } from '../../matching/purge-orphans.ts';
import { roundDistances } from '../../matching/round-distances.ts';
import { trimMatches } from '../../matching/trim-matches.ts';
import { deleteIdleAccount, warnIdleAccounts } from '../../rights/idle-accounts.ts';
import { expireWaitingMessages, purgeMessages } from '../../webhooks/events/stored-events.ts';
import { partitionSteps } from './partitions.ts';
import { type KeptDays, retentionSteps } from './retention.ts';
import { type CleanUpStep, type StepParts, stepJob } from './step-job.ts';

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** How long the outbox of a machine without mail and text providers keeps messages. */
const OUTBOX_DAYS = 30;

interface CleanUpParts extends StepParts {
  /** Whether an unconfirmed address gets no mails. */
  confirmEmail: boolean;
  /** Removes the mails and texts from the outbox that were sent before that time. @returns how many it removed */
  purgeOutbox(before: Date): Promise<number>;
  keptDays: KeptDays;
  database: DatabaseAddress;
}

/** The steps of the clean-up: what `retention.ts` lists, and what needs code of its own. No step needs another. */
export const cleanUpSteps: readonly CleanUpStep<CleanUpParts>[] = [
  ...retentionSteps,
  ...partitionSteps,
  { name: 'quarantine-bounds', everyMs: FIVE_MINUTES, run: (client, batch) => purgeExcessQuarantined(client, batch) },
  { name: 'matches-beyond-the-newest', everyMs: FIVE_MINUTES, rows: 2_000, run: trimMatches },
  { name: 'orphaned-cells', everyMs: HOUR, run: purgeOrphans('alert_cells') },
  { name: 'orphaned-matches', everyMs: HOUR, run: purgeOrphans('matches') },
  { name: 'orphaned-notifications', everyMs: HOUR, run: purgeOrphans('notifications') },
  // A walk that finds nothing reads a million matches in a second, spread over four.
  { name: 'exact-distances', everyMs: WEEK, rows: 1_000, run: roundDistances },
  { name: 'waiting-webhook-messages', everyMs: HOUR, run: expireWaitingMessages },
  // Deleting a message deletes its deliveries and their attempts.
  { name: 'webhook-messages', everyMs: HOUR, rows: 1_000, run: purgeMessages },
  {
    name: 'outbox',
    everyMs: DAY,
    run: async (_client, _batch, { purgeOutbox }) => ({
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

/** Deletes what has been kept for its time, and accounts that nobody uses. */
export const cleanUpJob = stepJob({ name: 'clean-up', steps: cleanUpSteps });

export const purgeListingsSteps: readonly CleanUpStep[] = [
  { name: 'unseen-listings', everyMs: HOUR, rows: 1_000, run: retireUnseen },
  { name: 'old-listings', everyMs: HOUR, rows: 200, run: purgeListings },
];

/**
 * Marks listings as gone that no source shows any more, and deletes old ones. It is a job apart from `clean-up` with a
 * larger budget, as a backlog of millions takes hours. The batches are small, as each write of a listing touches all
 * indexes of the table.
 */
export const purgeListingsJob = stepJob({ name: 'purge-listings', budgetMs: 10_000, steps: purgeListingsSteps });
