/** Above this a price is a mistake; alerts can't ask for more either. */
const MAX_PRICE = 10_000_000;

/** null: the seller states no price. */
export type PriceReading = { price: number | null } | { fault: string };

const notStated: PriceReading = { price: null };

/** What sellers type when they state no price: 1, 123, 1234, 12345 …, 11, 111, 111111 …. */
function isPlaceholder(dollars: number): boolean {
  const digits = String(dollars);
  return /^1+$/.test(digits) || (digits.length > 2 && '1234567890'.startsWith(digits)) || /^9{6,}$/.test(digits);
}

/**
 * The number in a written amount: `$12,600`, `12600.00`, `US$ 12.6k`, `12.600 USD`; null where there is none.
 * A point or comma before exactly three last digits separates thousands.
 */
export function readAmount(text: string): number | null {
  const [, sign = '', digits = '', kilo] =
    /(-?)\s*[^\d\s-]{0,4}\s?(\d[\d.,]{0,20})\s?(k\b)?/i.exec(text.slice(0, 100)) ?? [];
  if (digits === '') return null;
  const bare = digits.replace(/[.,]+$/, '');
  const plain = /^\d{1,3}([.,]\d{3})+$/.test(bare)
    ? bare.replace(/[.,]/g, '')
    : bare.replace(/[.,](?=.*[.,])/g, '').replace(',', '.');
  const amount = Number(plain) * (kilo ? 1000 : 1);
  return Number.isFinite(amount) ? (sign ? -amount : amount) : null;
}

/** Whether a written amount is of another currency than US dollars: €, £, `C$`, `CAD`. */
export function isForeignAmount(text: string): boolean {
  const code = /\b[A-Z]{3}\b/.exec(text.slice(0, 100))?.[0];
  if (/US\$|\bUSD\b/.test(text)) return false;
  return (
    /\p{Sc}/u.test(text.replaceAll('$', '')) ||
    /\b(CA?|MX|AU?|NZ|R|HK|S)\$/.test(text) ||
    (code ? currencies.has(code) : false)
  );
}

const currencies = new Set(
  'EUR GBP CAD MXN AUD NZD CHF SEK NOK DKK PLN CZK HUF JPY CNY INR BRL ZAR PHP AED'.split(' '),
);

/** A price in whole US dollars from an amount in dollars, which may be no price at all. */
export function statedPrice(amount: number): PriceReading {
  if (Number.isNaN(amount)) return { fault: 'the price is no number' };
  if (amount < 0) return { fault: 'the price is below zero' };
  const dollars = Math.round(amount);
  if (dollars === 0 || isPlaceholder(dollars)) return notStated;
  if (dollars > MAX_PRICE) return { fault: `the price is above $${MAX_PRICE.toLocaleString('en-US')}` };
  return { price: dollars };
}
