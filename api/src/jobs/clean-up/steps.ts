import { forgetTries } from '../../accounts/forget-tries.ts';
import { forgetCodes } from '../../accounts/phone/forget-codes.ts';
import { forgetEvents } from '../../billing/events/store-event.ts';
import { forgetKeys } from '../../entities/idempotency-key.ts';
import { forgetListings } from '../../intake/forget-listings.ts';
import {
  forgetHours,
  forgetLags,
  forgetOldQuarantined,
  trimQuarantine,
} from '../../intake/quarantine/forget-quarantined.ts';
import { retireUnseen } from '../../intake/retire-listings.ts';
import { forgetApiKeys, forgetApiUsage } from '../../keys/forget-keys.ts';
import { forgetPaces } from '../../matching/forget-paces.ts';
import {
  removeOrphanedCells,
  removeOrphanedMatches,
  removeOrphanedNotifications,
} from '../../matching/remove-orphans.ts';
import { expireWaitingMessages, forgetMessages } from '../../webhooks/deliver/forget-messages.ts';
import type { CleanUpStep } from './clean-up-job.ts';

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;

/** What is over, step by step; none needs another. Names are kept in the database: a new name begins its walk anew. */
export const cleanUpSteps: readonly CleanUpStep[] = [
  { name: 'old-quarantine', everyMs: FIVE_MINUTES, run: forgetOldQuarantined },
  { name: 'quarantine-bounds', everyMs: FIVE_MINUTES, run: trimQuarantine },
  { name: 'source-hours', everyMs: HOUR, run: forgetHours },
  { name: 'source-lags', everyMs: HOUR, run: forgetLags },
  { name: 'orphaned-cells', everyMs: HOUR, run: removeOrphanedCells },
  { name: 'orphaned-matches', everyMs: HOUR, run: removeOrphanedMatches },
  { name: 'orphaned-notifications', everyMs: HOUR, run: removeOrphanedNotifications },
  { name: 'alert-paces', everyMs: HOUR, run: forgetPaces },
  { name: 'rate-limits', everyMs: HOUR, run: forgetTries },
  { name: 'idempotency-keys', everyMs: HOUR, run: forgetKeys },
  { name: 'waiting-webhook-messages', everyMs: HOUR, run: expireWaitingMessages },
  // A message goes with its deliveries and their tries.
  { name: 'webhook-messages', everyMs: HOUR, rows: 1_000, run: forgetMessages },
  { name: 'api-keys', everyMs: HOUR, run: forgetApiKeys },
  { name: 'api-usage', everyMs: HOUR, run: forgetApiUsage },
  { name: 'phone-codes', everyMs: HOUR, run: forgetCodes },
  { name: 'billing-events', everyMs: HOUR, run: forgetEvents },
];

/** Listings that nobody shows any more: each write of one touches all indexes of the table, so the pieces are small. */
export const forgetListingsSteps: readonly CleanUpStep[] = [
  { name: 'unseen-listings', everyMs: HOUR, rows: 1_000, run: retireUnseen },
  { name: 'old-listings', everyMs: HOUR, rows: 200, run: forgetListings },
];
