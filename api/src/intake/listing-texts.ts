import type { Client, Queryable } from '../base/database.ts';
import { textHashIn } from '../domain/facts/later-facts.ts';
import { type ListingFacts, storableText } from '../domain/facts/listing-facts.ts';
import type { Change } from './known-listings.ts';
import type { StorableRecord } from './listing-columns.ts';

interface ListingTexts {
  id: number;
  facts: Pick<ListingFacts, 'description' | 'factsRead'>;
}

/** Those of written listings of which the seller's words, or where facts were read in them, are no longer the same. */
export const withOtherTexts = (written: readonly Change<StorableRecord>[]): ListingTexts[] =>
  written.flatMap(({ record, before }) =>
    record.text_hash === textHashIn(before.later_facts) ? [] : [{ id: before.id, facts: record.facts }],
  );

/** Writes what sellers wrote, and where facts were read in it, of listings that this transaction wrote. */
export async function writeTexts(client: Client, listings: readonly ListingTexts[]): Promise<void> {
  if (listings.length === 0) return;
  const rows = listings.map(({ id, facts: { description, factsRead = [] } }) => ({
    id,
    description: description ? storableText(description) : null,
    facts: factsRead.length > 0 ? factsRead.map((one) => ({ ...one, words: storableText(one.words) })) : null,
  }));
  await client.query({
    name: 'write-listing-texts',
    text: `insert into listing_texts (listing_id, description, facts_read)
           select id, description, facts from json_to_recordset($1::json) as r (id int8, description text, facts json)
           on conflict (listing_id) do update
             set description = excluded.description, facts_read = excluded.facts_read`,
    values: [JSON.stringify(rows)],
  });
}

/** Deletes what sellers wrote in these listings. */
export async function deleteTexts(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query('delete from listing_texts where listing_id = any($1)', [ids]);
}
