import type { Queryable } from '../base/database.ts';
import { newToken } from './claim-source.ts';
import type { SealedSource } from './sealed-header.ts';

// What was remembered of another address says nothing about this one, nor does what is read there at this moment.
const isElsewhere = `(s.settings ->> 'url', s.settings ->> 'file', s.settings ->> 'order', s.kind)
  is distinct from (excluded.settings ->> 'url', excluded.settings ->> 'file', excluded.settings ->> 'order', excluded.kind)`;
const isReadAnew = `excluded.settings ->> 'order' = 'append'
  or s.settings ->> 'order' is distinct from excluded.settings ->> 'order'`;

/**
 * Adds and updates the sources that the settings of this process name, and ends those of them that say so. All other
 * sources stay as they are: another process may have other settings. Where two processes name one source differently,
 * the settings of the later start hold.
 * @returns the names of sources that the settings name and that an operator has ended; they stay ended
 */
export async function ensureSources(db: Queryable, sources: readonly SealedSource[]): Promise<string[]> {
  const kept: string[] = [];
  for (const { name, kind, ended, headerBox, ...settings } of sources) {
    const { rows } = await db.query<{ isKeptEnded: boolean }>(
      `insert into sources as s (name, kind, settings, header_box, next_poll_at, ended_by)
       values ($1, $2, $3, $5, case when $4 then 'infinity' else now() end, case when $4 then 'settings' end)
       on conflict (name) do update
         set kind = excluded.kind, settings = excluded.settings, header_box = excluded.header_box,
             etag = case when ${isElsewhere} then null else s.etag end,
             last_modified = case when ${isElsewhere} then null else s.last_modified end,
             claim_token = case when ${isElsewhere} then ${newToken} else s.claim_token end,
             claimed_until = case when not (${isElsewhere}) then s.claimed_until end,
             cursor = case when (${isElsewhere}) and (${isReadAnew}) then '{}' else s.cursor end,
             next_poll_at = case when s.ended_by = 'operator' then 'infinity' else excluded.next_poll_at end,
             ended_by = case when s.ended_by = 'operator' then 'operator' else excluded.ended_by end
       returning ended_by is not null and ended_by = 'operator' as "isKeptEnded"`,
      [name, kind, JSON.stringify(settings), ended, headerBox],
    );
    if (rows[0]?.isKeptEnded && !ended) kept.push(name);
  }
  return kept;
}
