import type { Queryable } from '../../../base/database.ts';

/**
 * Ends a row of failed tries, as a text was settled or a rule lets what waits wait: what fails from now on is tried for six
 * hours again.
 */
export async function endFailing(
  db: Queryable,
  { alertId, userId }: { alertId: number | null; userId: number },
): Promise<void> {
  await db.query({
    name: 'texts-end-failing',
    text: 'update alerts set texts_failing_since = null where id = $1 and user_id = $2 and texts_failing_since is not null',
    values: [alertId, userId],
  });
}
