import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';

/** NOTIFY takes 8,000 bytes; an id has at most 16 digits and a comma. */
const IDS_PER_MESSAGE = 400;

/** A listing or an alert, and the position of the match rows that a transaction wrote of it. */
export interface Matched {
  id: number;
  position: string;
}

/** Notifies the api processes, once the transaction commits, of the match rows that it wrote. */
export async function notifyMatches(client: Queryable, side: 'listings' | 'alerts', matched: readonly Matched[]) {
  const ids = matched.map(({ id }) => id);
  const parts: string[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_MESSAGE) {
    parts.push(JSON.stringify(ids.slice(start, start + IDS_PER_MESSAGE)));
  }
  const text = `select pg_notify($1, json_build_object('position', $2::text, $3::text, $4::json)::text)`;
  await Promise.all(
    parts.map((part) =>
      client.query({ name: 'notify-matches', text, values: [channels.matches, matched[0]?.position, side, part] }),
    ),
  );
}

/** Wakes the worker for notifications that wait to be sent. */
export async function wakeSender(client: Queryable): Promise<void> {
  await client.query({ name: 'wake-sender', text: `select pg_notify('${channels.work}', 'send')` });
}
