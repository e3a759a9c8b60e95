import type { ServerTrigger, TriggerParts } from '../../lab/server-triggers.ts';
import { locks } from '../../src/base/advisory-lock.ts';
import { rematchListingsSql } from '../../src/matching/listing-search-sql.ts';
import { type InjectedFault, type Run, releaseLocks } from '../failpoints/inject-fault.ts';
import { noSeenCheck } from '../failpoints/injected-faults.ts';

/** A trigger that prevents the mark "to be matched", and counts how often. @param when SQL of the trigger's condition */
const preventMark = (table: string, event: string, when: string, prevented: string) => ({
  parts: {
    relation: 'create sequence race_injected',
    functions: `
  create function race_prevent_mark() returns trigger language plpgsql as $$ begin
    perform nextval('race_injected');
    ${prevented}
  end $$`,
  },
  trigger: {
    table,
    text: `create trigger race_prevent_mark before ${event} on %s for each row when (${when}) execute function race_prevent_mark()`,
  },
});

const commitLater = (run: Run) => run('select pg_sleep(0.04)');

export interface RaceFault extends InjectedFault {
  /** What its trigger uses. */
  parts?: TriggerParts;
  trigger?: ServerTrigger;
}

/** Faults that the races must find. */
export const raceFaults = {
  /** A backfill does not wait for searches that may not have seen its alert. */
  'no-search-wait': { omit: ['wait-for-searches'] },
  /** The search of a changed listing does not wait for backfills that have read it as it was before. */
  'no-backfill-wait': {
    omit: ['keep-backfills-out', 'wait-for-backfill'],
    follow: { 'match-alerts-fresh': commitLater, 'match-alerts-again': commitLater },
  },
  /** A listing may change while it is being searched for, and the search then takes the mark of that change too. */
  'no-listing-claim': {
    follow: {
      'match-listings-claim': async (run, { rows }) => {
        await releaseLocks(run);
        await run('select pg_advisory_xact_lock_shared($1)', [locks.search]);
        await run(rematchListingsSql, [rows.map(({ id }) => id), true, '[]', rows.map(({ markedAt }) => markedAt)]);
        await run('select pg_sleep(0.005)');
      },
    },
    replace: {
      'match-listings-clear':
        'delete from listings_to_match where listing_id = any ($1::int8[]) and $2::int4[] is not null',
    },
    omit: ['match-listings-fresh', 'match-listings-again'],
  },
  /** Two searches for one car don't wait for each other. */
  'no-car-lock': { omit: ['lock-cars'] },
  /** An edited or reactivated alert is not searched for. */
  'edit-without-mark': preventMark(
    'alerts',
    'update',
    'new.pending_match and not old.pending_match',
    'new.pending_match := false; return new;',
  ),
  /** Parallel creates don't count each other's alerts. */
  'no-limit-lock': { omit: ['lock-plan-use'] },
  /** A changed listing is stored without its mark. */
  'mark-cleared-early': preventMark('listings_to_match', 'insert', 'new.facts_before is not null', 'return null;'),
  /** The claim of a mail does not check whether its alert still watches. */
  'no-look': {
    follow: {
      'notify-read-alerts': async (_run, { rows }) => {
        for (const row of rows) row.watching = true;
      },
    },
  },
  /** On a cluster: a search does not ask whether each server has committed the listings that it has claimed. */
  'no-seen-check': noSeenCheck,
  /** On a cluster: a backfill does not wait for searches that a server has not committed yet. */
  'no-search-wait-there': { omit: ['wait-for-searches-here'] },
  /** On a cluster: the search of a changed listing does not leave it where a server has not committed a backfill yet. */
  'no-backfill-wait-there': { omit: ['keep-backfills-out-here'] },
  /** On a cluster: a search does not leave a car of which a server has not committed an earlier search yet. */
  'no-car-lock-there': {
    edit: {
      'match-listings-seen': (text) => text.replace(/not pg_try_advisory_xact_lock\(\d+, hashint8\(k\.id\)\)/, 'false'),
    },
  },
  /** Two workers may claim the mails of one alert. */
  'no-mail-lock': { follow: { 'notify-lock-alerts': releaseLocks } },
} satisfies Record<string, RaceFault>;

export type RaceFaultName = keyof typeof raceFaults;

export const isRaceFault = (name: string): name is RaceFaultName => Object.hasOwn(raceFaults, name);
