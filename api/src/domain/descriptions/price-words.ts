import { isDirectlyDenied } from './contexts.ts';
import type { Found, PriceWords } from './found.ts';
import { Gap, gapBefore, isMoney, type SellerText, setOf, wordAt } from './seller-text.ts';

const months = setOf('mo month monthly mes mensual mensuales');
const downs = setOf('down dn enganche downpayment');
const negotiables = setOf('negotiable negociable nego neg');
const offerBefore = setOf('best make reasonable any open accept accepting consider considering entertain');
const offerAfter = setOf('welcome considered accepted');
const firmThings = setOf('ride handshake seat seats suspension brakes brake pedal shocks mattress law');
const pricing = setOf('asking price priced sell selling reduced now cash ask is at was for');
const notPrice = setOf(
  'down dn mo month monthly mes off fee fees each worth obd week weekly per tax invested spent reg registration deposit enganche warranty value in back repairs shipping a',
);

const otherPrices = setOf('kbb fair purchase sticker msrp retail book blue value original new paid list window');

const amountAt = (text: SellerText, index: number): number | null => {
  const value = text.values[index] ?? Number.NaN;
  return value > 0 && value <= 10_000_000 ? Math.round(value) : null;
};

/** The index of the amount before a word, over `a`, `per` and `cash`; null if there is none. */
function amountBefore(text: SellerText, index: number, over: ReadonlySet<string>): number | null {
  for (let at = index - 1; at >= index - 3; at--) {
    if (gapBefore(text, at + 1) >= Gap.comma) return null;
    if (amountAt(text, at) !== null) return at;
    if (!over.has(wordAt(text, at))) return null;
  }
  return null;
}

const perWords = setOf('a per each every al por usd dollars');
const cashWords = setOf('cash total usd dollars de as only money');
const downLinks = setOf('payment payments of is as low from starting at only just desde de with');

function downAt(text: SellerText, index: number): number | null {
  const at = amountBefore(text, index, cashWords);
  if (
    at !== null &&
    (isMoney(text, at) || wordAt(text, at).endsWith('00')) &&
    wordAt(text, index + 1) !== 'from' &&
    wordAt(text, index + 1) !== 'to'
  )
    return amountAt(text, at);
  if (wordAt(text, index + 1) === 'from' || wordAt(text, index + 1) === 'to') return null;
  for (let next = index + 1; next <= index + 6; next++) {
    if (gapBefore(text, next) >= Gap.dash) return null;
    const amount = amountAt(text, next);
    if (amount !== null) return isMoney(text, next) || wordAt(text, index + 1).startsWith('payment') ? amount : null;
    if (!downLinks.has(wordAt(text, next))) return null;
  }
  return null;
}

/** What a price needs to be one of several: a dollar sign, and no other purpose. */
function priceAt(text: SellerText, index: number): number | null {
  const amount = amountAt(text, index);
  if (amount === null || amount < 300 || notPrice.has(wordAt(text, index + 1)) || downs.has(wordAt(text, index - 1)))
    return null;
  const before = wordAt(text, index - 1);
  // `KBB fair purchase price: $7,207`, `sticker price $81,500`
  if ([2, 3, 4].some((step) => otherPrices.has(wordAt(text, index - step)))) return null;
  const isAsked = pricing.has(before) && gapBefore(text, index) < Gap.comma;
  const next = wordAt(text, index + 1);
  const isOpen = next === 'obo' || next === 'firm' || next === 'cash' || next === 'or';
  return isMoney(text, index)
    ? isAsked || isOpen
      ? amount
      : null
    : (before === 'asking' || before === 'price') && amount >= 300
      ? amount
      : null;
}

/** Whether offers are invited or refused by the word at `index`; null if it says nothing of them. */
function offersAt(text: SellerText, index: number): 'obo' | 'firm' | null {
  const word = wordAt(text, index);
  const [before, next] = [wordAt(text, index - 1), wordAt(text, index + 1)];
  const isDenied = isDirectlyDenied(text, index);
  if (word === 'obo' || word === 'ono' || negotiables.has(word)) return isDenied ? 'firm' : 'obo';
  if (word === 'o') return next === 'b' && wordAt(text, index + 2) === 'o' ? 'obo' : null;
  if (word === 'offer' || word === 'offers') {
    if (isDenied || wordAt(text, index - 2) === 'no') return null;
    const isInvited = gapBefore(text, index) < Gap.comma && offerBefore.has(before);
    return isInvited || offerAfter.has(next) ? 'obo' : null;
  }
  if (word === 'haggle') return isDenied ? 'firm' : null;
  if (word !== 'firm' || isDenied || before === 'law') return null;
  return gapBefore(text, index + 1) < Gap.comma && firmThings.has(next) ? null : 'firm';
}

function monthlyAt(text: SellerText, index: number): number | null {
  const at = amountBefore(text, index, perWords);
  if (at === null || !(isMoney(text, at) || gapBefore(text, index) === Gap.slash)) return null;
  const amount = amountAt(text, at) ?? 0;
  return amount >= MIN_MONTHLY ? amount : null;
}
const MIN_MONTHLY = 20;

/** What a text says about the price; null if nothing. */
export function readPriceWords(text: SellerText): Found<PriceWords> | null {
  const words = { obo: false, firm: false, down: null as number | null, monthly: null as number | null };
  const prices = new Set<number>();
  let first: number | null = null;
  for (const index of text.found.price) {
    const word = wordAt(text, index);
    const offers = offersAt(text, index);
    const down = downs.has(word) ? downAt(text, index) : null;
    const monthly = months.has(word) ? monthlyAt(text, index) : null;
    if (offers) words[offers] = true;
    words.down ??= down;
    words.monthly ??= monthly;
    if (offers !== null || down !== null || monthly !== null) first ??= index;
    for (const at of [index - 1, index + 1, index + 2]) {
      const amount = gapBefore(text, Math.max(at, index)) < Gap.stop ? priceAt(text, at) : null;
      if (amount !== null) prices.add(amount);
    }
  }
  const several = prices.size > 1 ? [...prices].sort((a, b) => a - b) : [];
  const at = first ?? (several.length > 0 ? text.found.price[0] : undefined);
  if (at === undefined) return null;
  return {
    value: { ...words, firm: words.firm && !words.obo, prices: several },
    from: Math.max(0, at - 3),
    to: at + 3,
  };
}
