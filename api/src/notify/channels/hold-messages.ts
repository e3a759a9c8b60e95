import type { Client } from '../../base/database.ts';
import type { Claim } from '../adapter.ts';

interface HeldMessage {
  claim: Claim & { attempts: number };
  until: Date;
}

/**
 * Lets claimed messages wait for as long as a rule holds them; their claims do not count as attempts. Call it in the
 * transaction that has read the rule and locked the alerts, as a change of the rule releases only what waits by then.
 */
export async function holdMessages(
  client: Client,
  table: 'mails' | 'pushes',
  held: readonly HeldMessage[],
): Promise<void> {
  if (held.length === 0) return;
  await client.query({
    name: `notify-hold-${table}`,
    text: `update ${table} m set status = 'waiting', next_try_at = h.until, attempts = m.attempts - 1
             from unnest($1::uuid[], $2::int4[], $3::timestamptz[]) h (id, attempts, until)
            where m.id = any($1::uuid[]) and m.id = h.id and m.status = 'sending' and m.attempts = h.attempts`,
    values: [
      held.map(({ claim }) => claim.id),
      held.map(({ claim }) => claim.attempts),
      held.map(({ until }) => until),
    ],
  });
}
