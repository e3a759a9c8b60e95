import type { Queryable } from '../base/database.ts';
import type { FactRead } from '../domain/facts/listing-facts.ts';

interface SellerText {
  description: string | null;
  factsRead: FactRead[];
}

/** Reads what a seller wrote, and which facts were read in it. */
export async function readSellerText(db: Queryable, listingId: number): Promise<SellerText> {
  const { rows } = await db.query<SellerText>({
    name: 'read-seller-text',
    text: `select description, coalesce(facts_read, '[]') as "factsRead" from listing_texts where listing_id = $1`,
    values: [listingId],
  });
  return rows[0] ?? { description: null, factsRead: [] };
}
