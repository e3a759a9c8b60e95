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
const rowLocks = /\bfor (no key )?update( of \w+(, \w+)*)?( skip locked| nowait)?/g;
const mindsPairs = /on conflict \(listing_id, alert_id\) do (nothing|update[\s\S]*?)(?=\s*(\n\s*\)|returning\b|$))/g;

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

/** What the defect needs in the database itself. */
export const plantedSql: Partial<Record<Plant, string>> = {
  'no-unique': `do $$ begin
    execute (select format('alter table matches drop constraint %I', conname)
               from pg_constraint where conrelid = 'matches'::regclass and contype = 'p');
    create index on matches (listing_id, alert_id);
  end $$`,
};
