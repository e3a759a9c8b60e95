import type { Queryable } from '../base/database.ts';
import type { SourceSettings } from './source-settings.ts';

/**
 * Writes the configured sources. One that is no longer configured keeps its health and is polled no more; one that is
 * made by pushes stays as it is.
 */
export async function ensureSources(db: Queryable, sources: readonly SourceSettings[]): Promise<void> {
  for (const { name, kind, ...settings } of sources) {
    // What was remembered of another address says nothing about this one.
    await db.query(
      `update sources set etag = null, last_modified = null,
         cursor = case when $4 = 'append' or settings ->> 'order' is distinct from $4 then '{}' else cursor end
       where name = $1
         and (settings ->> 'url', settings ->> 'file', settings ->> 'order', kind) is distinct from ($2, $3, $4, $5)`,
      [name, settings.url ?? null, settings.file ?? null, settings.order, kind],
    );
    await db.query(
      `insert into sources (name, kind, settings) values ($1, $2, $3)
       on conflict (name) do update set kind = excluded.kind, settings = excluded.settings, next_poll_at = now()`,
      [name, kind, JSON.stringify(settings)],
    );
  }
  await db.query(`update sources set next_poll_at = 'infinity' where kind <> 'push' and name <> all ($1::text[])`, [
    sources.map(({ name }) => name),
  ]);
}
