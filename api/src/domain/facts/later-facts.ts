import type { KindFacts } from './kinds-from-text.ts';
import { type ListingFacts, storableText } from './listing-facts.ts';

/** Those of the later facts that alerts can ask for. */
export const laterKinds = ['fuel', 'drive', 'body', 'titleStatus', 'seller'] as const satisfies (keyof KindFacts)[];
export const SEPARATOR = '|';

/**
 * Facts that the hash of a listing leaves out, as listings were stored before they were read, by value: the kinds, and
 * then `prepayment`, which alone may contain the separator.
 */
export const laterFacts = (facts: ListingFacts): string =>
  [...laterKinds.map((kind) => facts[kind] ?? ''), storableText(facts.prepayment ?? '')].join(SEPARATOR);

/**
 * Whether later facts differ only in what was not stated before, or in what no alert can ask for. Neither is news of the
 * car: while a kind is not stated, the car fits every alert that asks for one.
 */
export function isLearned(before: string, now: string): boolean {
  const [old = [], fresh = []] = [before, now].map((text) => text.split(SEPARATOR));
  return laterKinds.every((_kind, at) => old[at] === '' || old[at] === fresh[at]);
}
