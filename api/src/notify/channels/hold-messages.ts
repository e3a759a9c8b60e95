import type { Client } from '../../base/database.ts';
import { carMails } from '../../entities/notification-rules.ts';
import type { Claim } from '../adapter.ts';
import { copyToThrottles } from '../copy-to-throttles.ts';
import { type Hold, heldKind } from './delivery-settings.ts';

interface HeldMessage {
  claim: Claim & { attempts: number; wasTried: boolean; userId: number };
  hold: Hold;
}

type Messages = 'mails' | 'pushes';

const columns = {
  mails: { message: 'mail_id', lastSentAt: 'last_mailed_at' },
  pushes: { message: 'push_id', lastSentAt: 'last_pushed_at' },
} as const;

const heldRows =
  'unnest($1::uuid[], $2::int4[], $3::timestamptz[], $4::text[], $5::int8[]) h (id, attempts, until, held_by, user_id)';
const valuesOf = (held: readonly HeldMessage[]) => [
  held.map(({ claim }) => claim.id),
  held.map(({ claim }) => claim.attempts),
  held.map(({ hold }) => hold.until),
  held.map(({ hold }) => hold.heldBy),
  held.map(({ claim }) => claim.userId),
];

/**
 * SQL: whether a call may have been made for a claimed message before. Every claim is counted, those of processes that ended
 * too; `attempts_before` takes off those that ended without a call. Only a message that was tried is held and has `retry_since`.
 * @param message the alias of a row of `mails` or `pushes`
 */
export const wasTried = (message: string): string =>
  `(${message}.attempts - ${message}.attempts_before > 1 or ${message}.retry_since is not null)`;

/**
 * SQL: the `Tries` of a claimed message, by the database's clock, and whether it was tried before.
 * @param message the alias of a row of `mails` or `pushes`
 */
export const triesOf = (message: string): string => `
  extract(epoch from now() - coalesce(${message}.retry_since, ${message}.created_at))::float8 * 1000 as "ageMs",
  ${message}.attempts - ${message}.attempts_before as tries, ${wasTried(message)} as "wasTried"`;

const restoreThrottles = `, throttled as (${copyToThrottles('restored')}
       ), unthrottled as (
         delete from alert_throttles t using restored a
          where t.alert_id = a.id and t.user_id = a.user_id and a.last_mailed_at is null
       )`;

/** Dissolves messages of which no call was made: their matches wait again, and leave with what else waits. */
async function letMatchesWait(client: Client, table: Messages, held: readonly HeldMessage[]): Promise<void> {
  const { message, lastSentAt } = columns[table];
  await client.query({
    name: `notify-dissolve-${table}`,
    text: `with dissolved as (
         delete from ${table} m using ${heldRows}
          where m.id = any($1::uuid[]) and m.id = h.id and m.user_id = h.user_id and m.status = 'sending' and m.attempts = h.attempts
         returning m.id, m.user_id, m.alert_id, m.created_at, h.until, h.held_by
       ), restored as (
         update alerts a
            set ${lastSentAt} = (
              select max(o.created_at) from ${table} o
               where o.alert_id = a.id and o.user_id = a.user_id and o.id <> d.id and o.status <> 'dropped' and o.kind in (${carMails}))
           from dissolved d where a.id = d.alert_id and a.user_id = d.user_id and a.${lastSentAt} = d.created_at
         returning a.id, a.user_id, a.last_mailed_at
       )${table === 'mails' ? restoreThrottles : ''}
       update notifications n set status = 'waiting', ${message} = null, due_at = d.until, held_by = d.held_by
         from dissolved d where n.${message} = d.id and n.user_id = d.user_id and n.${message} = any($1::uuid[]) and n.status = 'sending'`,
    values: valuesOf(held),
  });
}

/**
 * Lets messages wait that were tried before. Each keeps its id and leaves by itself, since its vendor may have accepted it
 * and the answer may have been lost. What fails after the hold is tried as long and as often as what is new.
 */
async function letMessagesWait(client: Client, table: Messages, held: readonly HeldMessage[]): Promise<void> {
  const { message } = columns[table];
  await client.query({
    name: `notify-hold-${table}`,
    text: `with held as (
         update ${table} m
            set status = 'waiting', next_try_at = h.until, kind = coalesce(k.kind, m.kind),
                retry_since = h.until, attempts_before = m.attempts
           from ${heldRows} join unnest($6::uuid[], $7::text[]) k (id, kind) using (id)
          where m.id = any($1::uuid[]) and m.id = h.id and m.user_id = h.user_id and m.status = 'sending' and m.attempts = h.attempts
         returning m.id, m.user_id, h.held_by
       )
       update notifications n set held_by = held.held_by from held
        where n.${message} = held.id and n.user_id = held.user_id and n.${message} = any($1::uuid[]) and n.status = 'sending'`,
    values: [...valuesOf(held), held.map(({ claim }) => claim.id), held.map(({ hold }) => heldKind(hold.heldBy))],
  });
}

/**
 * Lets claimed messages wait for as long as a rule holds them; their claims do not count as attempts. Call it in the
 * transaction that has read the rule and locked the alerts, as a change of the rule releases only what waits by then.
 */
export async function holdMessages(client: Client, table: Messages, held: readonly HeldMessage[]): Promise<void> {
  const untried = held.filter(({ claim }) => !claim.wasTried);
  const tried = held.filter(({ claim }) => claim.wasTried);
  if (untried.length > 0) await letMatchesWait(client, table, untried);
  if (tried.length > 0) await letMessagesWait(client, table, tried);
}
