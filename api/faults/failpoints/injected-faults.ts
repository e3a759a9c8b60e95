import { readFileSync } from 'node:fs';
import { type InjectedFault, type Run, releaseLocks } from './inject-fault.ts';

const names = [
  'no-claim',
  'no-mark',
  'no-unique',
  'old-position',
  'old-cluster',
  'held-lock',
  'doubled-expiry',
  'ended-sources',
  'no-hold',
  'lost-push',
  'kept-device',
  'no-filters',
] as const;
/** Those of a run on a cluster. */
const clusterNames = ['no-seen-check', 'position-from-coordinator', 'move-without-epoch'] as const;
/** Those of a run on one server. */
export type PlainFaultName = (typeof names)[number];
export type InjectedFaultName = PlainFaultName | (typeof clusterNames)[number];
export const injectedFaultNames = (onCluster: boolean): readonly InjectedFaultName[] =>
  onCluster ? clusterNames : names;

/** Waits, so that another worker may claim the same, which locks would prevent. */
async function releaseAndWait(run: Run): Promise<void> {
  await releaseLocks(run);
  await run('select pg_sleep(0.05)');
}

/** More than a cluster of the runs has. */
const MANY_SHARDS = 64;
const LATEST = 2 ** 31 - 1;

/** A search does not ask whether each server has committed the listings that it has claimed. */
export const noSeenCheck: InjectedFault = {
  follow: {
    'match-listings-seen': async (_run, result, { values }) => {
      const ids = JSON.parse(
        String((values[2] as string[])[0])
          .replace('{', '[')
          .replace('}', ']')
          .replaceAll('"', ''),
      ) as number[];
      const everywhere = Array.from({ length: MANY_SHARDS }, () => ids);
      result.rows = everywhere.flat().map((id) => ({ answer: { id, version: LATEST, answer: true } }));
    },
  },
};

/** SQL: a server lets a shard write without a look at whose epochs its rows have. */
const countNoShard = `
  create or replace function require_counted_shard() returns trigger language plpgsql as $$ begin return null; end $$;`;

/** The first epoch that a coordinator would begin, which all servers know. */
const COORDINATORS_EPOCH = 32;

/** Sets a setting of the transaction on all servers. No other is, as some are about the client of a session. */
async function setEverywhere(run: Run, name: string, value: string): Promise<void> {
  await run("set local citus.propagate_set_commands = 'local'");
  await run(`set local faults.${name} = '${value}'`);
  await run("set local citus.propagate_set_commands = 'none'");
}

/** Says on each server which transaction runs at the coordinator. */
async function setPosition(run: Run): Promise<void> {
  const { rows } = await run('select pg_current_xact_id()::text as position');
  await setEverywhere(run, 'position', rows[0].position);
}

async function setBounds(run: Run): Promise<void> {
  const { rows } = await run(
    'select pg_snapshot_xmin(s)::text as low, pg_snapshot_xmax(s)::text as high from pg_current_snapshot() s',
  );
  await setEverywhere(run, 'horizon', rows[0].low);
  await setEverywhere(run, 'ceiling', rows[0].high);
}

let hasEndedSources = false;

/** The sources that this process names in its settings. */
function namedSources(): string[] {
  const { SOURCES_FILE, DEMO_MARKETPLACE } = process.env;
  const named = SOURCES_FILE ? (JSON.parse(readFileSync(SOURCES_FILE, 'utf8')) as { name: string }[]) : [];
  return [...named.map(({ name }) => name), ...(DEMO_MARKETPLACE === 'on' ? ['demo'] : [])];
}

export const injectedFaults: Record<InjectedFaultName, InjectedFault> = {
  /** Mails, push messages and texts are claimed without a lock on their alerts, so that two senders may claim the same. */
  'no-claim': { follow: { 'notify-lock-alerts': releaseAndWait, 'notify-lock-alerts-and-owners': releaseAndWait } },
  /** A listing's mark is cleared, and that committed, before the search: a crash in between loses the listing. */
  'no-mark': {
    follow: {
      'match-listings-claim': async (run, { rows }) => {
        await run('delete from listings_to_match where listing_id = any ($1::int8[])', [rows.map(({ id }) => id)]);
        await releaseLocks(run);
      },
    },
  },
  /** Two workers that end alerts at the same time end the same ones, and both mail their owners. */
  'doubled-expiry': {
    replace: {
      'expire-alerts': `
        with due as materialized (select id from alerts where is_active and expires_at <= now())
        update alerts set is_active = false where id in (select id from due) returning id, user_id as "userId"`,
      'enqueue-expiry-mails': `
        insert into mails (kind, user_id, alert_id, to_address)
        select 'expired', a.user_id, a.id, u.email from alerts a join users u on u.id = a.user_id
         where a.id = any($2) and u.email is not null and (not $1 or u.email_confirmed_at is not null)
           and a.email_notifications`,
    },
    // Waits, so that the other worker may do the same.
    follow: { 'expire-alerts': (run) => run('select pg_sleep(4)') },
  },
  /** A worker that starts ends every source that its own settings do not name. */
  'ended-sources': {
    follow: {
      'find-due-sources': async (run) => {
        if (hasEndedSources) return;
        hasEndedSources = true;
        const text = "update sources set next_poll_at = 'infinity' where kind <> 'push' and name <> all ($1::text[])";
        await run(text, [namedSources()]);
      },
    },
  },
  /** Quiet hours, daily digests and snoozes are acknowledged and not stored. */
  'no-hold': {
    sql: `
      create function faults_no_hold() returns trigger language plpgsql as $$ begin
        new.quiet_hours := null;
        new.snoozed_until := null;
        new.delivery := 'instant';
        return new;
      end $$;
      create trigger faults_no_hold before update on alerts for each row execute function faults_no_hold()`,
  },
  /** A push message that a process left behind, or that its push service did not accept, is never sent again. */
  'lost-push': { omit: ['pushes-claim-retries'] },
  /** A device whose browser has ended its subscription stays. */
  'kept-device': {
    sql: `
      create function faults_kept_device() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger faults_kept_device before delete on push_subscriptions
        for each row execute function faults_kept_device()`,
  },
  /** The search for new listings does not know the further filters of alerts, but for the mileage. */
  'no-filters': {
    sql: `
      create function faults_no_filters() returns trigger language plpgsql as $$ begin
        new.asked := 0;
        return new;
      end $$;
      create trigger faults_no_filters before insert or update on alert_cells
        for each row execute function faults_no_filters()`,
  },
  /** Every inserted pair exists twice: its copy is in a child table that the key of `matches` does not cover. */
  'no-unique': {
    sql: `
      alter table matches detach partition matches_1;
      alter table matches rename to matches_without_parts;
      alter table matches_without_parts rename constraint matches_pkey to matches_without_parts_pkey;
      alter table matches_1 rename to matches;
      alter table matches rename constraint matches_1_pkey to matches_pkey;
      create table matches_again () inherits (matches);
      create function faults_insert_again() returns trigger language plpgsql as $$ begin
        insert into matches_again select new.*;
        return null;
      end $$;
      create trigger faults_insert_again after insert on matches for each row execute function faults_insert_again()`,
  },
  /** A pair that is shown again keeps its old position. */
  'old-position': {
    sql: `
      create function faults_old_position() returns trigger language plpgsql as $$ begin
        new.position := old.position;
        return new;
      end $$;
      create trigger faults_old_position before update on matches
        for each row when (new.position is distinct from old.position) execute function faults_old_position()`,
  },
  /** A process that claims a source holds it for six hours, whether it lives or not. */
  'held-lock': {
    sql: `
      create function faults_held_lock() returns trigger language plpgsql as $$ begin
        new.claimed_until := now() + interval '6 hours';
        return new;
      end $$;
      create trigger faults_held_lock before update on sources
        for each row when (new.claimed_until is not null) execute function faults_held_lock()`,
  },
  /** Positions are the transaction ids of the current server, also after a restore. */
  'old-cluster': {
    sql: `
      create or replace function match_position() returns int8 language plpgsql volatile as
        $$ begin return pg_current_xact_id()::text::int8; end $$;
      create or replace function match_bounds(out horizon int8, out ceiling int8, out nonce int4)
        language plpgsql stable parallel safe as $$ begin
        horizon := pg_snapshot_xmin(pg_current_snapshot())::text::int8;
        ceiling := 9223372036854775807;
        select e.nonce into nonce from match_epochs e where e.epoch = 0;
      end $$`,
  },
  'no-seen-check': noSeenCheck,
  /** A move raises no epoch, and no server notices: positions may go back where a shard arrives. */
  'move-without-epoch': {
    sql: `${countNoShard}
      create or replace function raise_match_epoch(known json) returns int8 language sql as 'select max(epoch) from match_epochs'`,
  },
  /** Positions are the transactions of the coordinator, and readers read below the oldest that runs there. */
  'position-from-coordinator': {
    precede: [
      { text: 'match_bounds()', first: setBounds },
      { text: 'match_horizon()', first: setBounds },
      { text: 'match_position()', first: setPosition },
      { text: 'into matches ', first: setPosition },
      { text: 'update matches ', first: setPosition },
    ],
    sql: `${countNoShard}
      select run_command_on_all_nodes('insert into match_epochs (epoch, nonce) values (${COORDINATORS_EPOCH}, 1)');
      create or replace function match_position() returns int8 language sql volatile as $$
        select (${COORDINATORS_EPOCH}::int8 << 42) + current_setting('faults.position')::int8
      $$;
      create or replace function match_bounds(out horizon int8, out ceiling int8, out nonce int4) language sql stable as $$
        select (${COORDINATORS_EPOCH}::int8 << 42) + current_setting('faults.horizon')::int8,
               (${COORDINATORS_EPOCH}::int8 << 42) + current_setting('faults.ceiling')::int8, 1
      $$`,
  },
};
