import { isDollars, isForeignAmount, type PriceReading, readAmount, statedPrice } from '../../domain/facts/price.ts';
import { isRecord } from '../record/record-fields.ts';
import type { FeedRow } from './feed-row.ts';

const isForeign = (currency: string | null) => currency !== null && currency.trim() !== '' && !isDollars(currency);

function readCell(value: unknown, currency: string | null): PriceReading | null {
  const first = [value].flat()[0];
  if (isRecord(first)) {
    const stated = typeof first.currency === 'string' ? first.currency : currency;
    return readCell(first.value ?? first.amount, stated);
  }
  if (typeof first === 'number') return isForeign(currency) ? { price: null } : statedPrice(first);
  if (typeof first !== 'string' || first.trim() === '') return null;
  const text = first.slice(0, 100).replace(/(\d)[\s\u00a0\u202f](?=\d{3}(?!\d))/g, '$1');
  if (/^\s*[-+]?(nan|inf|\d[\d.,]{0,40}e\+?\d{3})/i.test(text)) return { fault: 'the price is no number' };
  if (isForeignAmount(text) || isForeign(currency)) return { price: null };
  const amount = readAmount(text);
  return amount === null ? { price: null } : statedPrice(amount);
}

/** What a row's car costs: the lower of price and sale price, each as far as it is stated in US dollars. */
export function parseFeedPrice(row: FeedRow): PriceReading {
  const currency = typeof row.currency === 'string' ? row.currency : null;
  const asked = readCell(row.price, currency);
  if (asked && 'fault' in asked) return asked;
  const sale = readCell(row.sale_price, currency);
  const stated = [asked, sale].flatMap((one) => (one && 'price' in one && one.price !== null ? one.price : []));
  return { price: stated.length > 0 ? Math.min(...stated) : null };
}
