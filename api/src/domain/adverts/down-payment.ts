import { readAmount } from '../facts/price.ts';

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
const denied = /\b(no|not|without|zero|sin|don'?t|never|0)\s(?:\w+\s)?$/;

/** Without one of these in it a text says nothing about payments. */
const hints = /down|dn|drive|enganche|\d\s*\/|mo|mth|mes|mensual|wk|week|semana/;

const MAX_TEXT = 5000;
/** A price up to this may be what is paid first, or each month, where a text speaks of such without an amount. */
const MOST_DOWN = 3000;
const MOST_A_MONTH = 1500;

function amountsIn(text: string, patterns: readonly RegExp[]): number[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => readAmount(match[1] ?? '') ?? []).filter((amount) => amount > 0),
  );
}

function says(text: string, words: RegExp): boolean {
  return [...text.matchAll(words)].some(({ index }) => !denied.test(text.slice(Math.max(0, index - 30), index)));
}

/**
 * Whether a price is only what is paid down or by the month, by what title and description say: the price is the
 * amount that they name so, or it is low and they name none. A price above all such amounts is the car's.
 * @param price whole US dollars
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
  return (price <= MOST_DOWN && says(text, downWords)) || (price <= MOST_A_MONTH && says(text, rateWords));
}
