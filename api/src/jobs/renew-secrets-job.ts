import type { Pool } from '../base/database.ts';
import type { Encryption } from '../base/encryption.ts';
import type { Log } from '../base/log.ts';
import { logSecurityEvent } from '../base/security-events.ts';
import type { Job } from './job.ts';

const HOUR_MS = 3_600_000;
const ROWS_A_READ = 500;

/**
 * All encrypted columns. `key` finds a row, and `below` is a value below every key, where the walk begins; `owner` is a column by
 * which the row is asked for as well.
 */
export const encryptedColumns = [
  { table: 'webhooks', column: 'secret_ciphertext', key: 'id', below: '0', owner: 'user_id' },
  { table: 'webhooks', column: 'previous_secret_ciphertext', key: 'id', below: '0', owner: 'user_id' },
  { table: 'second_factors', column: 'secret_ciphertext', key: 'user_id', below: '0', owner: 'user_id' },
  { table: 'sources', column: 'header_ciphertext', key: 'name', below: '', owner: 'name' },
  { table: 'source_accounts', column: 'token_ciphertext', key: 'account', below: '', owner: 'account' },
  { table: 'vapid_keys', column: 'private_ciphertext', key: 'id', below: '0', owner: 'id' },
] as const;

/** What encrypts the columns of each table. */
export type TableEncryptions = Readonly<Record<(typeof encryptedColumns)[number]['table'], Encryption>>;

interface RenewParts {
  pool: Pool;
  log: Log;
  signal: AbortSignal;
  encryptions: TableEncryptions;
  /** Whether secrets are set beside the newest; without them there is nothing to do. */
  hasFormer: boolean;
}

/** undefined where no known secret decrypts it. */
function tryReencrypt(encryption: Encryption, ciphertext: string): string | null | undefined {
  try {
    return encryption.reencrypt(ciphertext);
  } catch {
    return undefined;
  }
}

/**
 * Encrypts with the newest secret what was encrypted with a former one.
 * @returns how many ciphertexts were renewed, and how many no known secret decrypts
 */
export async function reencryptColumns(
  pool: Pool,
  encryptions: TableEncryptions,
  signal: AbortSignal,
): Promise<{ renewed: number; unreadable: number }> {
  const counts = { renewed: 0, unreadable: 0 };
  for (const { table, column, key, below, owner } of encryptedColumns) {
    for (let after: string = below; !signal.aborted; ) {
      const { rows } = await pool.query<{ key: string; owner: string; ciphertext: string }>(
        `select ${key}::text as key, ${owner}::text as owner, ${column} as ciphertext from ${table}
          where ${column} is not null and ${key} > $1 order by ${key} limit ${ROWS_A_READ}`,
        [after],
      );
      for (const { key: id, owner: ownerId, ciphertext } of rows) {
        const renewed = tryReencrypt(encryptions[table], ciphertext);
        if (renewed === undefined) counts.unreadable += 1;
        if (typeof renewed !== 'string') continue;
        // A value that was changed since it was read is kept.
        const written = await pool.query(
          `update ${table} set ${column} = $3 where ${key} = $1 and ${owner} = $4 and ${column} = $2`,
          [id, ciphertext, renewed, ownerId],
        );
        counts.renewed += written.rowCount ?? 0;
      }
      if (rows.length < ROWS_A_READ) break;
      after = rows.at(-1)?.key ?? after;
    }
  }
  return counts;
}

/**
 * Encrypts again what was encrypted with a former SESSION_SECRET, and logs when no such ciphertext is left. It runs each
 * hour, as a process that does not know the newest secret yet may still write.
 */
export const renewSecretsJob: Job<RenewParts> = {
  name: 'renew-secrets',
  everyMs: HOUR_MS,
  async run({ pool, log, signal, encryptions, hasFormer }) {
    if (!hasFormer) return undefined;
    const { renewed, unreadable } = await reencryptColumns(pool, encryptions, signal);
    if (renewed > 0) logSecurityEvent(log, 'secrets.renewed', { renewed, unreadable });
    if (unreadable > 0) log.warn('secrets at rest that no known SESSION_SECRET decrypts', { unreadable });
    if (renewed === 0 && !signal.aborted) log.info('no secret at rest needs SESSION_SECRET_FORMER');
    return undefined;
  },
};
