import type { Client } from '../base/database.ts';
import { askedLater } from '../domain/facts/later-facts.ts';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import type { PriceModel } from '../domain/prices/price-model.ts';
import { columnOf } from '../entities/column-of.ts';
import { markChanged, settingsOfMarked } from '../placement/listing-marks.ts';
import { columnSettings, recordset, type StorableRecord, toRow } from './listing-columns.ts';

/** What alerts can ask for, words of the trim included. */
const askedColumns = [...askedLater.map(columnOf), 'trim'];
const askedOf = (row: string): string => askedColumns.map((name) => `${row}.${name}`).join(', ');
/** SQL: whether alerts may ask for what changes. */
const asksAgain = `(l.status = '${ListingStatus.forSale}' and (${askedOf('l')}) is distinct from (${askedOf('r')}))`;

interface Learned {
  record: StorableRecord;
  before: { id: number };
}

/**
 * Adds facts that were not read before to listings that are locked. Matching compares those for sale with the alerts that
 * ask for such facts, once no new or changed listing waits, and announces nothing.
 */
export async function updateLearned(
  client: Client,
  learned: readonly Learned[],
  prices: PriceModel | null,
): Promise<void> {
  if (learned.length === 0) return;
  const rows = learned.map(({ record, before }) => ({ id: before.id, ...toRow(record, prices) }));
  await client.query({
    name: 'update-learned-facts',
    text: `with r as materialized (select * from ${recordset('$1')}),
                asking as materialized (select l.id from listings l join r on r.id = l.id where ${asksAgain}),
                marked as (${markChanged('listings l where l.id in (select id from asking)', false)})
           update listings l
              set ${columnSettings}, last_seen_at = now(), ${settingsOfMarked('(l.id in (select id from asking))')}
             from r
            where l.id = r.id`,
    values: [JSON.stringify(rows)],
  });
}
