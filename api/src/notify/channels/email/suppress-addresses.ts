import { type Client, inTransaction, type Pool, type Queryable } from '../../../base/database.ts';
import { SuppressionReason } from '../../../domain/suppression-reason.ts';
import { isSuppressed } from '../../../entities/notification-rules.ts';
import type { MailEvent } from '../../../vendors/mail.ts';
import { releaseUser } from '../../release-waiting.ts';

/** An event by which an address is suppressed, and when its mail was passed to the vendor. */
export interface SuppressingEvent extends Pick<MailEvent, 'address' | 'at' | 'reason' | 'suppresses'> {
  sentAt: Date | null;
}

/**
 * Writes the suppressed addresses, by the earliest event of each; what its reader asked for outranks that a mail came back.
 * An event about a mail from before the address was resumed is late and says nothing new, unless it happened since, as when
 * its reader reports an old mail as spam.
 */
async function writeAddresses(client: Client, events: readonly SuppressingEvent[]): Promise<string[]> {
  const { rows } = await client.query<{ address: string }>({
    name: 'addresses-suppress',
    text: `insert into suppressed_addresses as s (address, reason, detail, since)
           select distinct on (e.address) e.address, e.reason, e.detail, e.since
             from (select lower(btrim(address)) as address, reason, detail, least(greatest(at, sent_at), now()) as since
                     from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])
                          given (address, reason, detail, at, sent_at)) e
             left join suppressed_addresses known on known.address = e.address
            where e.since > coalesce(known.resumed_at, '-infinity')
            order by e.address, e.reason = '${SuppressionReason.bounced}', e.since, e.reason, e.detail
           on conflict (address) do update
              set reason = excluded.reason, detail = excluded.detail, since = excluded.since
            where excluded.since > coalesce(s.resumed_at, '-infinity')
              and (s.since <= coalesce(s.resumed_at, '-infinity')
                or (excluded.reason = '${SuppressionReason.bounced}', excluded.since) < (s.reason = '${SuppressionReason.bounced}', s.since))
           returning address`,
    values: [
      events.map(({ address }) => address),
      events.map(({ suppresses }) => suppresses),
      events.map(({ reason }) => reason),
      events.map(({ at }) => at),
      events.map(({ sentAt }) => sentAt),
    ],
  });
  return rows.map(({ address }) => address);
}

/** Applies the rules of delivery again to what waits for accounts with these addresses. */
async function releaseAccounts(client: Queryable, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  const { rows } = await client.query<{ id: number }>(
    'select id from users where lower(email) = any($1::text[]) order by id',
    [addresses],
  );
  for (const { id } of rows) await releaseUser(client, id);
}

/**
 * Suppresses addresses: mails about cars wait from now on. Events may come twice and in any order.
 * @param events whose mails and addresses belong together
 */
export async function suppressAddresses(pool: Pool, events: readonly SuppressingEvent[]): Promise<void> {
  if (events.length === 0) return;
  await inTransaction(pool, async (client) => {
    const addresses = await writeAddresses(client, events);
    await releaseAccounts(client, addresses);
  });
}

export interface Suppression {
  reason: SuppressionReason;
  since: Date;
  /** What the receiving server said. */
  detail: string | null;
  /** When the address was resumed the last time, before it was suppressed again. */
  resumedAt: Date | null;
}

/** Reads why an address is suppressed; null where it is not. */
export async function readSuppression(db: Queryable, address: string): Promise<Suppression | null> {
  const { rows } = await db.query<Suppression>({
    name: 'addresses-read',
    text: `select reason, since, detail, resumed_at as "resumedAt" from suppressed_addresses
            where address = lower($1) and ${isSuppressed('$1')}`,
    values: [address],
  });
  return rows[0] ?? null;
}

/**
 * Lets mails about cars go to an address again. What waits for it leaves, one summary an alert.
 * @returns whether the address was suppressed
 */
export async function resumeAddress(client: Queryable, address: string): Promise<boolean> {
  const { rows } = await client.query<{ address: string }>(
    `with suppressed as materialized (
       select address as one, clock_timestamp() as time from suppressed_addresses
        where address = lower($1) and ${isSuppressed('$1')}
     )
     update suppressed_addresses set resumed_at = suppressed.time from suppressed where address = suppressed.one returning address`,
    [address],
  );
  await releaseAccounts(
    client,
    rows.map((row) => row.address),
  );
  return rows.length > 0;
}
