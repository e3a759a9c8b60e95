import { createHash } from 'node:crypto';
import type { Pool } from '../../base/database.ts';
import { type Encryption, tryDecrypt } from '../../base/encryption.ts';
import { trimEnd } from '../../base/trim-end.ts';
import { WebFetchError } from '../../vendors/web-fetch-guard.ts';
import { callRate, type EbaySettings } from './ebay-settings.ts';

/** A token that ends sooner is renewed. */
const MARGIN_SECONDS = 120;
/** The calls that may be made now. A clock that was set back adds none. */
const LEFT = 'least($2, a.calls_left + $3 * greatest(0, extract(epoch from now() - a.counted_at)::float8))';

/** What the sources with the same keys share, also across workers: their token, and the calls that they may still make. */
export class EbayAccount {
  private readonly pool: Pool;
  private readonly encryption: Encryption;
  private readonly settings: EbaySettings;
  private readonly key: string;

  constructor(settings: EbaySettings, { pool, encryption }: { pool: Pool; encryption: Encryption }) {
    this.pool = pool;
    this.encryption = encryption;
    this.settings = settings;
    const { clientId, clientSecret } = settings;
    // However the address is written.
    const apiBase = trimEnd(new URL(settings.apiBase).href, '/');
    // With the secret, so that a token of keys that were replaced is not used.
    this.key = createHash('sha256')
      .update(JSON.stringify([apiBase, clientId, clientSecret]))
      .digest('base64url');
  }

  /** Counts one call before it is made. @throws WebFetchError QUOTA when none may be made now */
  async takeCall(): Promise<void> {
    const { burst, perSecond } = callRate(this.settings.callsPerDay);
    const { rowCount } = await this.pool.query({
      name: 'take-source-call',
      text: `insert into source_accounts as a (account, calls_left, counted_at) values ($1, $2::float8 - 1, now())
             on conflict (account) do update set calls_left = ${LEFT} - 1, counted_at = now() where ${LEFT} >= 1
             returning 1`,
      values: [this.key, burst, perSecond],
    });
    if (rowCount) return;
    throw new WebFetchError('QUOTA', this.waitingWords(await this.secondsUntil(1)));
  }

  /** Seconds until so many calls may be made at once, or as many as ever may; 0 when they may be made now. */
  async secondsUntil(calls: number): Promise<number> {
    const { burst, perSecond } = callRate(this.settings.callsPerDay);
    return Math.max(0, Math.ceil((Math.min(calls, burst) - (await this.callsLeft())) / perSecond));
  }

  waitingWords(seconds: number): string {
    const perDay = this.settings.callsPerDay.toLocaleString('en-US');
    const minutes = Math.ceil(seconds / 60);
    return `Waiting for eBay's daily quota: the ${perDay} calls a day are spread over the day. The read goes on in ${minutes} min.`;
  }

  /** How many calls could be made now. */
  async callsLeft(): Promise<number> {
    const { burst, perSecond } = callRate(this.settings.callsPerDay);
    const { rows } = await this.pool.query<{ left: number; isAhead: boolean }>({
      name: 'read-source-calls',
      text: `select ${LEFT} as left, counted_at > now() as "isAhead" from source_accounts a where a.account = $1`,
      values: [this.key, burst, perSecond],
    });
    if (rows[0]?.isAhead) {
      // After a clock was set back, calls are added from now on.
      const text = 'update source_accounts set counted_at = now() where account = $1 and counted_at > now()';
      await this.pool.query({ name: 'set-back-source-calls', text, values: [this.key] });
    }
    return rows[0]?.left ?? burst;
  }

  /** Whether a call may be made that can wait. @param kept the share of what may be made at once that is kept for others */
  async canSpare(kept: number): Promise<boolean> {
    return (await this.callsLeft()) > callRate(this.settings.callsPerDay).burst * kept;
  }

  /** The stored token while it is valid; null when a new one is to be requested. */
  async token(): Promise<string | null> {
    const { rows } = await this.pool.query<{ ciphertext: string | null }>({
      name: 'read-source-token',
      text: `select token_ciphertext as ciphertext from source_accounts
              where account = $1 and token_expires_at > now() + ${MARGIN_SECONDS} * interval '1 s'`,
      values: [this.key],
    });
    const ciphertext = rows[0]?.ciphertext ?? null;
    return ciphertext === null ? null : tryDecrypt(this.encryption, ciphertext);
  }

  async keepToken(token: string, seconds: number): Promise<void> {
    await this.pool.query({
      name: 'keep-source-token',
      text: `insert into source_accounts as a (account, calls_left, counted_at, token_ciphertext, token_expires_at)
             values ($1, $2, now(), $3, now() + $4 * interval '1 s')
             on conflict (account) do update
               set token_ciphertext = excluded.token_ciphertext, token_expires_at = excluded.token_expires_at`,
      values: [this.key, callRate(this.settings.callsPerDay).burst, this.encryption.encrypt(token), seconds],
    });
  }
}
