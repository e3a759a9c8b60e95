import type { Client } from '../base/database.ts';
import { laterKinds, SEPARATOR } from '../domain/facts/later-facts.ts';
import { type ListingFacts, ListingStatus, storableText } from '../domain/facts/listing-facts.ts';
import { columnOf } from '../entities/alert.ts';

const kinds = laterKinds.map(columnOf);
const columns = [...kinds, 'prepayment'];
const ofAll = (names: readonly string[], l: string) => names.map((name) => `${l}.${name}`);

/** SQL: what `laterFacts` gives, of a listing. */
export const laterFactsOf = (l: string): string => `concat(${ofAll(columns, l).join(`, '${SEPARATOR}', `)})`;

interface Learned {
  record: { facts: ListingFacts };
  before: { id: number };
}

/**
 * Adds facts that were not read before to listings that are locked. Matching compares those for sale with the alerts that
 * ask for such facts, once no new or changed listing waits, and announces nothing.
 */
export async function updateLearned(client: Client, learned: readonly Learned[]): Promise<void> {
  if (learned.length === 0) return;
  const rows = learned.map(({ record: { facts }, before }) => ({
    id: before.id,
    ...Object.fromEntries(laterKinds.map((kind) => [columnOf(kind), facts[kind] ?? null])),
    prepayment: storableText(facts.prepayment ?? '') || null,
  }));
  await client.query({
    name: 'update-learned-facts',
    text: `update listings l
              set ${columns.map((name) => `${name} = r.${name}`).join(', ')}, last_seen_at = now(),
                  pending_filters = l.pending_filters or l.status = '${ListingStatus.forSale}'
                    and (${ofAll(kinds, 'l')}) is distinct from (${ofAll(kinds, 'r')})
             from json_to_recordset($1::json) as r (id int8, ${columns.map((name) => `${name} text`).join(', ')})
            where l.id = r.id`,
    values: [JSON.stringify(rows)],
  });
}
