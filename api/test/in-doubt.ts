import { randomUUID } from 'node:crypto';
import { afterEach, inject } from 'vitest';
import { databaseOf, onServer } from '../lab/cluster-database.ts';
import type { TestDatabase } from './database.ts';

interface Doubt {
  /** Lets each worker of the cluster prepare a transaction and not commit it. @param lock SQL of what it holds */
  leaveInDoubt(lock: string): Promise<void>;
  /** Commits what the workers have prepared. */
  commit(): Promise<void>;
}

/** The addresses of a test's database at the workers of the cluster. */
export const workersOf = (db: TestDatabase): string[] =>
  inject('serverUrls')
    .slice(0, -1)
    .map((url) => databaseOf(url, new URL(db.url).pathname.slice(1)));

/** What was left in doubt is committed after each test. Call it at the top of the file, after what empties tables. */
export function setUpDoubt(db: TestDatabase): Doubt {
  const everywhere = async (statements: readonly string[]) => {
    for (const url of workersOf(db))
      await onServer(url, async (query) => {
        for (const statement of statements) await query(statement);
      });
  };
  let isOpen = false;
  // A server has one list of these names for all of its databases.
  const name = `in doubt ${randomUUID()}`;
  const commit = async () => {
    if (!isOpen) return;
    isOpen = false;
    await everywhere([`commit prepared '${name}'`]);
  };
  afterEach(commit);
  return {
    commit,
    async leaveInDoubt(lock) {
      isOpen = true;
      await everywhere(['begin', `select ${lock}`, `prepare transaction '${name}'`]);
    },
  };
}
