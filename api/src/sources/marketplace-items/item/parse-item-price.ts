import {
  isDollars,
  isDownPayment,
  isForeignAmount,
  type PriceReading,
  readAmount,
  statedPrice,
  statesNoPrice,
} from '../../../domain/facts/price.ts';
import { type Fields, fieldsOf, isRecord, textOf } from '../../record/record-fields.ts';

const CENTS = 100;
const MAX_OFFERS = 50;
const MAX_DEPTH = 4;

/** Dollars, another currency, a text that is no price, or nothing. */
type Amount = number | 'foreign' | 'unreadable' | null;

const currencyNames = ['currency', 'pricecurrency', 'currencycode', 'currencyiso'];
const amountNames = ['amount', 'price', 'value', 'lowprice', 'minprice', 'min', 'pricespecification'];
const centNames = [
  'amountwithoffset',
  'amountwithoffsetincurrency',
  'amountincents',
  'amountcents',
  'cents',
  'minorunits',
  'amountminor',
];
const writtenNames = ['formattedamount', 'formattedprice', 'formatted', 'text', 'display', 'displayvalue'];
/** Fields with the seller's price; the first that states one counts. */
const askedNames = [
  'listingprice',
  'finalprice',
  'price',
  'askingprice',
  'currentprice',
  'offers',
  'pricespecification',
  'formattedprice',
  'minlistingprice',
  'lowprice',
  'minprice',
];
/** Fields with a reduced price. Former prices (struck through, initial, previous) never count. */
const saleNames = ['saleprice', 'discountedprice', 'discountprice', 'specialprice'];

const isNothing = (amount: Amount) => amount === null || amount === 'unreadable';

function amountOfText(text: string, hasCurrency: boolean): Amount {
  if (text.trim() === '') return null;
  if (!hasCurrency && isForeignAmount(text)) return 'foreign';
  return readAmount(text) ?? (statesNoPrice(text) ? 0 : 'unreadable');
}

/** The first amount that is readable; of several offers the lowest. */
function firstOf(values: unknown[], hasCurrency: boolean, depth: number): Amount {
  let broken: Amount = null;
  for (const value of values) {
    const amount = amountOf(value, hasCurrency, depth);
    if (!isNothing(amount)) return amount;
    broken ??= amount;
  }
  return broken;
}

function lowestOf(values: unknown[], hasCurrency: boolean, depth: number): Amount {
  const amounts = values.slice(0, MAX_OFFERS).map((value) => amountOf(value, hasCurrency, depth));
  const dollars = amounts.filter((amount) => typeof amount === 'number');
  const priced = dollars.filter((amount) => amount !== 0);
  if (dollars.length > 0) return priced.length > 0 ? Math.min(...priced) : 0;
  return amounts.find((amount) => !isNothing(amount)) ?? amounts.find((amount) => amount !== null) ?? null;
}

function centsOf(fields: Fields): Amount {
  const offset = textOf(fields, ...centNames);
  if (offset === null || !/^-?\d+(\.0+)?$/.test(offset)) return null;
  const units = Number(textOf(fields, 'offset') ?? CENTS);
  return Number(offset) / (units > 0 ? units : CENTS);
}

/** The amount of one price field in any of its encodings. */
function amountOf(value: unknown, hasCurrency: boolean, depth = MAX_DEPTH): Amount {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return amountOfText(value, hasCurrency);
  if (Array.isArray(value)) return depth > 0 ? lowestOf(value, hasCurrency, depth - 1) : null;
  if (!isRecord(value) || depth === 0) return null;
  const fields = fieldsOf(value);
  if (/^(mon|month|ann|year|wee|week|day)/i.test(textOf(fields, 'unitcode', 'unittext') ?? '')) return null;
  const currency = textOf(fields, ...currencyNames);
  if (currency !== null && !isDollars(currency)) return 'foreign';
  const known = hasCurrency || currency !== null;
  const formatted = textOf(fields, ...writtenNames);
  if (!known && formatted !== null && isForeignAmount(formatted)) return 'foreign';
  const amount = firstOf(
    amountNames.map((name) => fields.get(name)),
    known,
    depth - 1,
  );
  if (!isNothing(amount)) return amount;
  return centsOf(fields) ?? (formatted === null ? null : amountOfText(formatted, known)) ?? amount;
}

function lowerOf(asked: PriceReading, sale: PriceReading): PriceReading {
  if ('fault' in asked) return asked;
  if ('fault' in sale || sale.price === null) return asked;
  return { price: asked.price === null ? sale.price : Math.min(asked.price, sale.price) };
}

function readingOf(amount: Amount): PriceReading {
  if (amount === 'unreadable') return { fault: 'its text is no price' };
  return typeof amount === 'number' ? statedPrice(amount) : { price: null };
}

/**
 * The price of the item in whole US dollars: the lower of price and sale price. An amount in another currency, a down
 * payment and a monthly rate count as not stated.
 * @param texts title and description
 */
export function parseItemPrice(fields: Fields, ...texts: (string | null)[]): PriceReading {
  const currency = textOf(fields, ...currencyNames);
  if (currency !== null && !isDollars(currency)) return { price: null };
  const known = currency !== null;
  const formatted = textOf(fields, 'formattedprice');
  if (formatted !== null && isForeignAmount(formatted)) return { price: null };
  const cents = fieldsOf({ cents: fields.get('priceincents') ?? fields.get('pricecents') });
  const asked = firstOf([...askedNames.map((name) => fields.get(name)), Object.fromEntries(cents)], known, MAX_DEPTH);
  if (asked === 'foreign') return { price: null };
  const sale = firstOf(
    saleNames.map((name) => fields.get(name)),
    known,
    MAX_DEPTH,
  );
  const reading = lowerOf(readingOf(asked), readingOf(sale));
  if ('price' in reading && reading.price !== null && isDownPayment(reading.price, ...texts)) return { price: null };
  return reading;
}
