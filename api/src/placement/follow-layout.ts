import type { Pool } from '../base/database.ts';
import { runWhereRowsAre } from './distributed-pool.ts';
import { chooseLayout, isDistributed, type Layout } from './layout.ts';
import { readLayout, requireOwnerConnection, requireSessionSettings } from './prepare-layout.ts';
import { learnShards } from './user-shards.ts';

/**
 * Makes a process use the statements for the layout that the database has. Call it before any other statement of the pool.
 * @param isPooled whether a pooler is before the database
 * @throws LayoutError where sessions lack settings that the layout needs
 */
export async function followLayout(pool: Pool, isPooled = false): Promise<Layout> {
  const layout = (await readLayout(pool)) ?? 'plain';
  requireOwnerConnection(layout, { DATABASE_DIRECT_URL: isPooled });
  if (layout === 'plain') return layout;
  await requireSessionSettings(pool);
  await learnShards(pool);
  chooseLayout(layout);
  runWhereRowsAre(pool);
  return layout;
}

/** Makes a further pool of a process, such as the ORM's, use the statements for the layout that the process follows. */
export function followChosenLayout(pool: Pool): void {
  if (isDistributed()) runWhereRowsAre(pool);
}
