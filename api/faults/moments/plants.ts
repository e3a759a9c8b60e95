import { readFileSync } from 'node:fs';
import type { Plant, Statement } from './moments.ts';

type Run = (text: string, values?: readonly unknown[]) => Promise<{ rows: { id: number }[] }>;

/** A defect as a change of the statements that a process sends. */
export interface Planted {
  /** The statement as the defective program would send it; null where it is as always. */
  rewrite?(statement: Statement): string | null;
  /** Which statements are followed by more, and by what. */
  follow?: {
    applies(statement: Statement): boolean;
    run(run: Run, statement: Statement, rows: { id: number }[]): Promise<void>;
  };
}

const changed = (before: string, after: string): string | null => (before === after ? null : after);
const rowLocks = /\bfor (no key update|update|key share)( of \w+(, \w+)*)?( skip locked| nowait)?/g;
const mindsPairs = /on conflict \(listing_id, alert_id\) do (nothing|update[\s\S]*?)(?=\s*(\n\s*\)|returning\b|$))/g;

/** In this process. */
let hasEndedSources = false;

export const planted: Record<Plant, Planted> = {
  /** Mails and texts are claimed without a lock on anything, so that two senders may claim the same. */
  'no-claim': {
    rewrite: ({ name, text }) =>
      name.startsWith('notify-') || name.startsWith('texts-') || /\b(mails|notifications)\b/.test(text)
        ? changed(text, text.replace(rowLocks, ''))
        : null,
    // The other sender gets its chance: with the lock this would harm nobody.
    follow: {
      applies: ({ name }) => name === 'notify-lock-alerts' || name === 'texts-lock-alert',
      run: async (run) => {
        await run('select pg_sleep(0.05) as id');
      },
    },
  },
  /** The mark is cleared, and that committed, before the search: a crash in between loses the listing. */
  'no-mark': {
    follow: {
      applies: ({ text }) => /from listings\b[\s\S]*pending_match[\s\S]*for update/.test(text),
      async run(run, _statement, rows) {
        await run('update listings set pending_match = false where id = any ($1::int8[])', [rows.map(({ id }) => id)]);
        await run('commit');
        await run('begin');
      },
    },
  },
  /** Two workers that end alerts at once both end the same, and both tell of it. */
  'doubled-expiry': {
    rewrite({ text }) {
      if (/\bupdate alerts set is_active = false\b/.test(text)) return changed(text, text.replace(rowLocks, ''));
      if (!/\binsert into mails\b[\s\S]*'expired'/.test(text)) return null;
      return changed(text, text.replace(/and not exists \([^)]*\)/, ''));
    },
    // The other worker gets its chance.
    follow: {
      applies: ({ text }) => /\bupdate alerts set is_active = false\b/.test(text),
      run: async (run) => {
        await run('select pg_sleep(1) as id');
      },
    },
  },
  /** A worker that starts ends every source that its own settings do not name. */
  'ended-sources': {
    follow: {
      applies: ({ text }) => !hasEndedSources && /\bfrom sources\b[\s\S]*\bnext_poll_at <= now\(\)/.test(text),
      async run(run) {
        hasEndedSources = true;
        const text = "update sources set next_poll_at = 'infinity' where kind <> 'push' and name <> all ($1::text[])";
        await run(text, [namedSources()]);
      },
    },
  },
  /** Who claims a source holds it for hours, whether heard of or not: see the database. */
  'held-lock': {},
  /** A pair that is shown again keeps its old position: see the database. */
  'old-position': {},
  /** Positions are the transactions of whatever server it is: see the database. */
  'old-cluster': {},
  /** Nothing says that a pair stands once, and what was inserted is inserted again. */
  'no-unique': {
    rewrite: ({ text }) => changed(text, text.replace(mindsPairs, '')),
    follow: {
      applies: ({ name }) => name === 'match-listings-fresh',
      run: async (run, { text, values }) => {
        await run(text, values);
      },
    },
  },
};

/** What a process names as sources by its settings, as it did when it ended all others. */
function namedSources(): string[] {
  const { SOURCES_FILE, DEMO_MARKETPLACE } = process.env;
  const named = SOURCES_FILE ? (JSON.parse(readFileSync(SOURCES_FILE, 'utf8')) as { name: string }[]) : [];
  return [...named.map(({ name }) => name), ...(DEMO_MARKETPLACE === 'on' ? ['demo'] : [])];
}

/** What the defect needs in the database itself. */
export const plantedSql: Partial<Record<Plant, string>> = {
  'no-unique': `do $$ begin
    execute (select format('alter table matches drop constraint %I', conname)
               from pg_constraint where conrelid = 'matches'::regclass and contype = 'p');
    create index on matches (listing_id, alert_id);
  end $$`,
  'old-position': `
    create function faults_old_position() returns trigger language plpgsql as $$ begin
      new.position := old.position;
      return new;
    end $$;
    create trigger faults_old_position before update on matches
      for each row when (new.position is distinct from old.position) execute function faults_old_position()`,
  'held-lock': `
    create function faults_held_lock() returns trigger language plpgsql as $$ begin
      new.claimed_until := now() + interval '6 hours';
      return new;
    end $$;
    create trigger faults_held_lock before update on sources
      for each row when (new.claimed_until is not null) execute function faults_held_lock()`,
  'old-cluster': `
    create or replace function match_position() returns int8 language plpgsql volatile as
      $$ begin return pg_current_xact_id()::text::int8; end $$;
    create or replace function match_bounds(out horizon int8, out ceiling int8, out nonce int4)
      language plpgsql stable parallel safe as $$ begin
      horizon := pg_snapshot_xmin(pg_current_snapshot())::text::int8;
      ceiling := 9223372036854775807;
      select e.nonce into nonce from match_epochs e where e.epoch = 0;
    end $$`,
};
