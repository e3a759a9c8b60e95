import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';

/** NOTIFY takes 8,000 bytes; an id has at most 16 digits and a comma. */
const IDS_PER_MESSAGE = 400;

/** Tells the api processes, when the transaction commits, that it holds new match rows. */
export async function tellMatches(client: Queryable, side: 'listings' | 'alerts', ids: readonly number[]) {
  const parts: string[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_MESSAGE) {
    parts.push(JSON.stringify(ids.slice(start, start + IDS_PER_MESSAGE)));
  }
  const text = `select pg_notify($1, json_build_object('tx', pg_current_xact_id()::text, $2::text, $3::json)::text)`;
  await Promise.all(
    parts.map((part) => client.query({ name: 'tell-matches', text, values: [channels.matches, side, part] })),
  );
}

/** Wakes the worker for notifications that wait to be sent. */
export async function wakeSender(client: Queryable): Promise<void> {
  await client.query({ name: 'wake-sender', text: `select pg_notify('${channels.work}', 'send')` });
}
