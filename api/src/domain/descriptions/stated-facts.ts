import { kindLabel } from '../facts/kinds-from-text.ts';
import type { FactRead, ListingFacts, TextFactName } from '../facts/listing-facts.ts';
import { filterKinds } from '../forms/filter-values.ts';
import type { PriceWords } from './found.ts';
import { plainDescription } from './plain-description.ts';
import { type Read, readTextFacts } from './text-facts.ts';

const MAX_WORDS = 100;
const dollars = (amount: number): string => `$${amount.toLocaleString('en-US')}`;

/** The seller's words on one line, cut after a word. */
function cutWords(words: string): string {
  const line = words
    .slice(0, MAX_WORDS * 2)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_WORDS) return line;
  const blank = line.lastIndexOf(' ', MAX_WORDS - 1);
  return `${line.slice(0, blank > MAX_WORDS / 2 ? blank : MAX_WORDS - 1).toWellFormed()}…`;
}

function priceText({ obo, firm, down, monthly, prices }: PriceWords): string {
  const parts = [
    obo ? 'Offers are invited' : null,
    firm ? 'Firm price' : null,
    down === null ? null : `${dollars(down)} down`,
    monthly === null ? null : `${dollars(monthly)} a month`,
    prices.length > 1 ? `Several prices: ${prices.slice(0, 4).map(dollars).join(', ')}` : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** A fact as it is shown: `Salvage title`, `98,000 miles`, `Silver`. */
export function factText(fact: TextFactName, value: string | number): string {
  const kind = filterKinds.find((one) => one === fact);
  if (kind) return kindLabel(kind, String(value));
  if (fact === 'mileage') return `${value.toLocaleString('en-US')} miles`;
  if (fact === 'doors') return `${value} doors`;
  const text = String(value);
  return fact === 'color' ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/**
 * Adds to what fields state what title and description say: a field wins over the title, the title over the description.
 * @param facts what the fields state
 * @param raw the description as it came
 */
export function withTextFacts(facts: ListingFacts, raw: string | null): ListingFacts {
  const description = plainDescription(raw);
  const { title, make, model, year, price } = facts;
  const read = readTextFacts({ title, description, make, model, year, price });
  const factsRead: FactRead[] = [];
  const note = (fact: TextFactName, { from, words }: Pick<Read<unknown>, 'from' | 'words'>, value: string) => {
    if (from !== 'field' && value !== '') factsRead.push({ fact, from, value, words: cutWords(words) });
  };
  const stated = <T extends string | number>(
    fact: TextFactName,
    field: T | null | undefined,
    found: Read<T> | null,
  ): T | null => {
    if (field != null || found === null) return field ?? null;
    note(fact, found, factText(fact, found.value));
    return found.value;
  };
  const all = {
    titleStatus: stated('titleStatus', facts.titleStatus, read.titleStatus),
    mileageMiles: stated('mileage', facts.mileageMiles, read.mileageMiles),
    trim: stated('trim', facts.trim, read.trim),
    drive: stated('drive', facts.drive, read.drive),
    fuel: stated('fuel', facts.fuel, read.fuel),
    transmission: stated('transmission', facts.transmission, read.transmission),
    body: stated('body', facts.body, read.body),
    color: stated('color', facts.color, read.color),
    seller: stated('seller', facts.seller, read.seller),
    vin: stated('vin', facts.vin, read.vin),
  };
  stated('doors', null, read.doors);
  if (read.priceWords) note('priceWords', read.priceWords, priceText(read.priceWords.value));
  return { ...facts, ...all, description, factsRead };
}
