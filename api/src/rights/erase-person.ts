import { channels } from '../base/channels.ts';
import type { Client } from '../base/database.ts';
import { lockBriefly, locks } from '../base/under-lock.ts';
import { mailboxKey } from '../entities/shared/queue-mail.ts';
import { type PersonalTable, personalTables } from './tables/personal-tables.ts';
import { readAlertIds, type TheirRows, theirRows } from './their-rows.ts';

export interface Person {
  id: number;
  username: string;
  email: string | null;
}

/**
 * Holds the account until the transaction ends: whoever is about to write a row of its user's waits, and then finds no
 * user. null when there is none.
 */
export async function lockPerson(client: Client, userId: number): Promise<Person | null> {
  const { rows } = await client.query<Person>('select id, username, email from users where id = $1 for update', [
    userId,
  ]);
  return rows[0] ?? null;
}

/**
 * What they are called where no number says who wrote: their username, their address, and those that we wrote to. An
 * address that somebody else has as well is only theirs when they have confirmed it.
 */
async function readNames(client: Client, userId: number, alerts: readonly number[]): Promise<string[]> {
  const known = `select lower(btrim(email)) as address, email_confirmed_at is not null as confirmed from users where id = :user
    union all select lower(btrim(to_address)), false from mails where kind <> 'contact' and (${personalTables.mails.theirs})`;
  const { rows } = await client.query<{ name: string }>(
    theirRows(
      `select username_key as name from users where id = :user
       union select address from (${known}) k
        where address is not null
          and (confirmed or not exists (select from users o where lower(o.email) = k.address and o.id <> :user))`,
      { user: userId, alerts, names: [] },
    ),
  );
  return rows.map(({ name }) => name);
}

/** Nobody matches meanwhile: who searched before has committed, and who searches afterwards finds no alert. */
async function holdAlerts(client: Client, userId: number): Promise<number[]> {
  await lockBriefly(client, locks.matching);
  await client.query('select from alerts where user_id = $1 order by id for update', [userId]);
  return readAlertIds(client, userId);
}

/** Erases every row of a person whose account is held, and tells the API processes to close their sockets. */
export async function erasePerson(client: Client, person: Person, rateKeys: readonly string[]): Promise<void> {
  const alerts = await holdAlerts(client, person.id);
  const names = await readNames(client, person.id, alerts);
  const theirs: TheirRows = { user: person.id, alerts, names };
  for (const { table, ...where } of erasable()) {
    const conditions = where.unlinked === undefined ? [where.theirs] : [where.theirs, where.unlinked];
    for (const condition of conditions)
      await client.query(theirRows(`delete from ${table} where ${condition}`, theirs));
  }
  await client.query('delete from rate_limits where key = any ($1)', [rateKeys]);
  await client.query('delete from mail_counts where mailbox = any ($1)', [names.map(mailboxKey)]);
  await client.query('select pg_notify($1, $2)', [channels.sessions, String(person.id)]);
}

/** Deletion requests stay, without a word of what they said: they are the receipt. */
function erasable(): PersonalTable[] {
  return Object.values<PersonalTable>(personalTables).filter(({ table }) => table !== 'deletion_requests');
}
