import type { Pool } from '../../base/database.ts';
import type { Seal } from '../../base/seal.ts';

/** Columns of texts that are closed under a seal. */
export interface SealedColumns {
  table: string;
  /** The primary key. */
  key: string;
  /** Below every key. */
  below: string;
  columns: readonly string[];
  seal: Seal;
}

const ROWS_A_READ = 500;

/**
 * Closes anew what was closed under a secret before the newest.
 * @returns how many boxes were renewed, and how many no known secret opens
 */
export async function renewBoxes(
  pool: Pool,
  sealed: readonly SealedColumns[],
  signal: AbortSignal,
): Promise<{ renewed: number; unreadable: number }> {
  const counts = { renewed: 0, unreadable: 0 };
  for (const { table, key, below, columns, seal } of sealed) {
    for (const column of columns) {
      for (let after = below; !signal.aborted; ) {
        const { rows } = await pool.query<{ key: string; box: string }>(
          `select ${key}::text as key, ${column} as box from ${table}
            where ${column} is not null and ${key} > $1 order by ${key} limit ${ROWS_A_READ}`,
          [after],
        );
        for (const { key: id, box } of rows) {
          const renewed = tryRenew(seal, box);
          if (renewed === undefined) counts.unreadable += 1;
          if (typeof renewed !== 'string') continue;
          // What was written meanwhile stays.
          const written = await pool.query(`update ${table} set ${column} = $3 where ${key} = $1 and ${column} = $2`, [
            id,
            box,
            renewed,
          ]);
          counts.renewed += written.rowCount ?? 0;
        }
        if (rows.length < ROWS_A_READ) break;
        after = rows.at(-1)?.key ?? after;
      }
    }
  }
  return counts;
}

/** undefined where no known secret opens it. */
function tryRenew(seal: Seal, box: string): string | null | undefined {
  try {
    return seal.renew(box);
  } catch {
    return undefined;
  }
}
