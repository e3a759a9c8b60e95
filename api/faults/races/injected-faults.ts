import { locks } from '../../src/base/advisory-lock.ts';
import { type InjectedFault, releaseLocks } from '../failpoints/inject-fault.ts';

/** A trigger that clears the mark "to be matched" where an update sets it, and counts how often. */
const clearMark = (table: 'alerts' | 'listings', condition: string) => `
  create sequence race_injected;
  create function race_clear_mark() returns trigger language plpgsql as $$ begin
    perform nextval('race_injected');
    new.pending_match := false;
    return new;
  end $$;
  create trigger race_clear_mark before update on ${table}
    for each row when (${condition}) execute function race_clear_mark()`;

/** Faults that the races must find. */
export const raceFaults = {
  /** Searches from alerts and from listings run at the same time. */
  'no-match-lock': { omit: ['lock-matching-listings'] },
  /** A listing may change while it is being searched for. */
  'no-listing-claim': {
    follow: {
      'match-listings-claim': async (run) => {
        await releaseLocks(run);
        await run('select pg_advisory_xact_lock_shared($1)', [locks.matching]);
      },
    },
  },
  /** Two searches for one car don't wait for each other. */
  'no-car-lock': { omit: ['lock-cars'] },
  /** An edited or reactivated alert is not searched for. */
  'edit-without-mark': { sql: clearMark('alerts', 'new.pending_match and not old.pending_match') },
  /** Parallel creates don't count each other's alerts. */
  'no-limit-lock': { omit: ['lock-plan-use'] },
  /** A changed listing is stored without its mark. */
  'mark-cleared-early': { sql: clearMark('listings', 'new.pending_match and new.changed_at > old.changed_at') },
  /** The claim of a mail does not check whether its alert still watches. */
  'no-look': {
    follow: {
      'notify-read-alerts': async (_run, { rows }) => {
        for (const row of rows) row.watching = true;
      },
    },
  },
  /** Two workers may claim the mails of one alert. */
  'no-mail-lock': { follow: { 'notify-lock-alerts': releaseLocks } },
} satisfies Record<string, InjectedFault>;

export type RaceFaultName = keyof typeof raceFaults;

export const isRaceFault = (name: string): name is RaceFaultName => Object.hasOwn(raceFaults, name);
