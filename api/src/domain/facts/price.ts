import { trimEnd } from '../../base/trim-end.ts';

/** A higher price is a mistake. Alerts have the same limit. */
const MAX_PRICE = 10_000_000;

/** null: no price is stated. */
export type PriceReading = { price: number | null } | { fault: string };

const notStated: PriceReading = { price: null };

/** Whether it is a number that sellers enter instead of a price: 1, 11, 111 …, 123, 1234 …, 999999 …. */
function isPlaceholder(dollars: number): boolean {
  const digits = String(dollars);
  return /^1+$/.test(digits) || (digits.length > 2 && '1234567890'.startsWith(digits)) || /^9{6,}$/.test(digits);
}

const number = String.raw`\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d[\d.,]{0,40}`;
const written = new RegExp(
  String.raw`([-−](?=\S))?[^\d\s\-−.,]{0,4}\s?([-−])?(${number})\s?(e[-+]?\d{1,4}\b|k\b|m\b)?`,
  'iu',
);
const scales: Record<string, number> = { k: 1000, m: 1_000_000 };

function scaleOf(suffix: string | undefined): number {
  const scale = suffix?.toLowerCase() ?? '';
  return scale.startsWith('e') ? 10 ** Number(scale.slice(1)) : (scales[scale] ?? 1);
}

/**
 * The number in a written amount, such as `$12,600`, `12600.00`, `US$ 12.6k`, `12.600,00 USD` or `12 600`; the first of a
 * range; null if there is none. A point or comma before exactly three last digits separates thousands.
 */
export function readAmount(text: string): number | null {
  const [, sign, inner, digits = '', scale] = written.exec(text.slice(0, 100).normalize('NFKC')) ?? [];
  if (digits === '') return null;
  const bare = trimEnd(digits, '.,').replace(/[^\d.,]/g, '');
  const plain = /^\d{1,3}([.,]\d{3})+$/.test(bare)
    ? bare.replace(/[.,]/g, '')
    : bare.replace(/[.,](?=.*[.,])/g, '').replace(',', '.');
  const amount = Number(plain) * scaleOf(scale);
  return Number.isFinite(amount) ? (sign || inner ? -amount : amount) : null;
}

const noPriceWords =
  /^(free|gratis|gratuit|kostenlos|price|prices?|asking|sold|call|contact|ask|inquire|enquire|request|negotiable|nego|offers?|best|obo|poa|make|firm|please|coming|tbd|tba|unknown|none|null|undefined|see|message|msg|dm|pm|text|email|trades?|not|no|on|n\/?a|-+|\?+|\$+|usd)(?![a-z])/i;

/** Whether a text is what sellers write instead of a price: `Free`, `Call for price`, `N/A`. */
export function statesNoPrice(text: string): boolean {
  return !/\d/.test(text) && (noPriceWords.test(text.trim()) || !/[\p{L}\p{N}]/u.test(text));
}

/** Currency codes that are words in English or Spanish, and the US dollar's. */
const notForeign = new Set('ALL BAM CUP GEL MAD MOP SOS TOP USD'.split(' '));
const currencies = new Set(Intl.supportedValuesOf('currency').filter((code) => !notForeign.has(code)));

/** Whether a written amount is in another currency than US dollars: €, £, `C$`, `CAD`, `5000 euros`. */
export function isForeignAmount(text: string): boolean {
  const amount = text.slice(0, 100).normalize('NFKC');
  if (/US\s?\$|(?<![a-z])USD(?![a-z])/i.test(amount)) return false;
  if (/\p{Sc}/u.test(amount.replaceAll('$', '')) || /\b(CA?|MX|AU?|NZ|R|HK|S)\$/.test(amount)) return true;
  if (/\b(euros?|pounds|pesos|rupees|kr|zł)(?![a-z])/i.test(amount)) return true;
  return (amount.match(/(?<![a-z])[a-z]{3}(?![a-z])/gi) ?? []).some((code) => currencies.has(code.toUpperCase()));
}

/** Whether a stated currency is the US dollar. @param currency a code, a symbol or words */
export const isDollars = (currency: string): boolean =>
  /^(us\s?\$|\$|usd?|u\.?s\.?\s?dollars?|dollars?)$/i.test(currency.trim());

/**
 * Rounds an amount to a price in whole US dollars. A placeholder counts as not stated; an impossible one is a fault.
 */
export function statedPrice(amount: number): PriceReading {
  if (Number.isNaN(amount)) return { fault: 'the price is no number' };
  if (amount < 0) return { fault: 'the price is below zero' };
  const dollars = Math.round(amount);
  if (dollars === 0 || isPlaceholder(dollars)) return notStated;
  if (dollars > MAX_PRICE) return { fault: `the price is above $${MAX_PRICE.toLocaleString('en-US')}` };
  return { price: dollars };
}

const AMOUNT = String.raw`\$?\s?\d[\d,.]{0,8}k?`;
/** `$1500 down`, `down payment of $500`, `1,000 de enganche`; not `down from 5000`, nor `10% down`. */
const downAmounts = [
  new RegExp(
    String.raw`(${AMOUNT})\s?(?:usd\s|dollars?\s)?(?:cash\s|total\s)?(?:down\b(?!\s(?:from|to)\b)|dn\b|drive.?off\b|(?:de\s)?enganche)`,
    'g',
  ),
  new RegExp(
    String.raw`(?:down.?payments?|money down|drive.?off|enganche)(?:\s(?:is|of|de|desde|only|as|low|from|starting|at|just|con))*[\s:=-]{0,3}(${AMOUNT})`,
    'g',
  ),
  /(?:^|[\s(])down\s?[:=]?\s?(\$\s?\d[\d,.]{0,8}k?)/g,
];
/** `$299/mo`, `350 a month`, `$99 weekly`. */
const rateAmounts = [
  new RegExp(
    String.raw`(${AMOUNT})\s?(?:usd\s|dollars?\s)?(?:/|per\s|a\s|al\s|por\s|each\s|every\s)?\s?(?:mo|mth|month|monthly|mes|mensual(?:es)?|wk|week|weekly|biweekly|semana)\b`,
    'g',
  ),
];
const downWords = /\b(down.?payments?|enganche|drive.?off|money down)\b/g;
const rateWords = /\/\s?mo\b|\bper month\b|\ba month\b|\bmonthly payments?\b|\bpor mes\b|\bal mes\b/g;
const negation = /\b(no|not|without|zero|sin|don'?t|never|0)\s(?:\w+\s)?$/;

/** A quick test: a text about payments has one of these, at the beginning of a word or behind an amount such as `2k`. */
const hints = /(?:^|[^a-jl-z])(?:down|dn\b|drive.?off|enganche|mo\b|mth\b|month|mes\b|mensual|wk\b|(?:bi)?week|semana)/;

const MAX_TEXT = 5000;
/** Up to these a price may be a down payment, or a monthly one, if the text mentions one without its amount. */
const MAX_DOWN_PAYMENT = 3000;
const MAX_MONTHLY_PAYMENT = 1500;

function amountsIn(text: string, patterns: readonly RegExp[]): number[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => readAmount(match[1] ?? '') ?? []).filter((amount) => amount > 0),
  );
}

function mentions(text: string, words: RegExp): boolean {
  return [...text.matchAll(words)].some(({ index }) => !negation.test(text.slice(Math.max(0, index - 30), index)));
}

/**
 * Whether a price is only a down payment or a monthly rate. It is if the texts name such an amount that is not lower, or if
 * they mention such a payment without an amount and the price is low.
 * @param price in whole US dollars
 * @param texts the title and the description
 */
export function isDownPayment(price: number, ...texts: (string | null)[]): boolean {
  const text = texts
    .flatMap((part) => (part === null ? [] : part.slice(0, MAX_TEXT)))
    .join(' \n ')
    .normalize('NFKC')
    .toLowerCase();
  if (!hints.test(text)) return false;
  const named = [...amountsIn(text, downAmounts), ...amountsIn(text, rateAmounts)];
  if (named.length > 0) return price <= Math.max(...named);
  return (
    (price <= MAX_DOWN_PAYMENT && mentions(text, downWords)) ||
    (price <= MAX_MONTHLY_PAYMENT && mentions(text, rateWords))
  );
}
