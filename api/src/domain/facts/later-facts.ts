import { readVin } from './facts-from-text.ts';
import { type ListingFacts, storableText, textHash } from './listing-facts.ts';

/** Those of the later facts that alerts can ask for. The last three belong to the hash where a field states them. */
export const askedLater = [
  'fuel',
  'drive',
  'body',
  'titleStatus',
  'seller',
  'transmission',
  'mileage',
  'color',
] as const satisfies string[];
/** The others. Words of alerts are looked for in the trim too. */
export const unaskedLater = ['trim', 'vin', 'textHash', 'prepayment'] as const;
export const SEPARATOR = '|';

/**
 * Facts that the hash of a listing leaves out, as listings were stored before they were read, by value. Only the last one,
 * `prepayment`, may contain the separator.
 * @param hash the `textHash` of the same facts
 */
export const laterFacts = (facts: ListingFacts, hash = textHash(facts)): string =>
  [
    facts.fuel,
    facts.drive,
    facts.body,
    facts.titleStatus,
    facts.seller,
    facts.transmission,
    facts.mileageMiles,
    facts.color,
    storableTrim(facts.trim),
    readVin(facts.vin),
    hash,
    storableText(facts.prepayment ?? ''),
  ]
    .map((value) => value ?? '')
    .join(SEPARATOR);

/** A trim as it is stored. */
export const storableTrim = (trim: string | null | undefined): string | null =>
  trim ? storableText(trim).replaceAll(SEPARATOR, ' ') : null;

/** The hash of the texts in what `laterFacts` gives. */
export const textHashIn = (later: string): string =>
  later.split(SEPARATOR)[askedLater.length + unaskedLater.indexOf('textHash')] ?? '';

/** Values of the title's status that were not told apart from other ones. */
const onceOther = ['lien', 'parts_only'];

/**
 * Whether later facts differ only in what was not stated before, or in what no alert can ask for. Neither is news of the
 * car.
 */
export function isLearned(before: string, now: string): boolean {
  const [old = [], fresh = []] = [before, now].map((text) => text.split(SEPARATOR));
  return askedLater.every(
    (kind, at) =>
      old[at] === '' ||
      old[at] === fresh[at] ||
      (kind === 'titleStatus' && old[at] === 'other' && onceOther.includes(fresh[at] ?? '')),
  );
}
