import { isForeignAmount, type PriceReading, readAmount, statedPrice } from '../../domain/facts/price.ts';
import { type Fields, fieldsOf, isRecord, textOf } from './parse-item-fields.ts';

const CENTS = 100;

/** Dollars of one price field in any of its encodings; 'foreign' for another currency; null for none. */
function amountOf(value: unknown, currency: string | null): number | 'foreign' | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') {
    if (currency === null && isForeignAmount(value)) return 'foreign';
    return readAmount(value);
  }
  if (!isRecord(value)) return null;
  const fields = fieldsOf(value);
  const stated = textOf(fields, 'currency', 'pricecurrency', 'currencycode');
  if (stated && stated.toUpperCase() !== 'USD') return 'foreign';
  const written = textOf(fields, 'formattedamount', 'text', 'formattedprice');
  if (!stated && written && isForeignAmount(written)) return 'foreign';
  const amount = textOf(fields, 'amount', 'price', 'value');
  const dollars = amount === null ? null : readAmount(amount);
  if (dollars !== null) return dollars;
  const offset = textOf(fields, 'amountwithoffset', 'amountwithoffsetincurrency');
  if (offset !== null && /^\s*-?\d+\s*$/.test(offset)) return Number(offset) / CENTS;
  return written === null ? null : readAmount(written);
}

function firstAmount(fields: Fields, currency: string | null, names: string[]): number | 'foreign' | null {
  for (const name of names) {
    const value = fields.get(name);
    const amount = amountOf(Array.isArray(value) ? value[0] : value, currency);
    if (amount !== null) return amount;
  }
  return null;
}

/** What the item costs, whole US dollars: the lower of price and sale price; another currency is not stated. */
export function parseItemPrice(fields: Fields): PriceReading {
  const currency = textOf(fields, 'currency', 'pricecurrency');
  if (currency && currency.toUpperCase() !== 'USD') return { price: null };
  const formatted = textOf(fields, 'formattedprice');
  if (formatted && isForeignAmount(formatted)) return { price: null };
  const asked = firstAmount(fields, currency, ['listingprice', 'finalprice', 'price', 'offers', 'formattedprice']);
  if (asked === null || asked === 'foreign') return { price: null };
  const reading = statedPrice(asked);
  if ('fault' in reading || reading.price === null) return reading;
  let lowest = reading.price;
  for (const name of ['saleprice', 'discountedprice', 'strikethroughprice', 'initialprice']) {
    const other = firstAmount(fields, currency, [name]);
    const price = typeof other === 'number' ? statedPrice(other) : null;
    if (price && 'price' in price && price.price !== null) lowest = Math.min(lowest, price.price);
  }
  return { price: lowest };
}
