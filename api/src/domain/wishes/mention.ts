import type { Amount } from './amounts.ts';
import type { Bound, Noun, Trail } from './number-words.ts';
import type { Refusal, WishFields } from './wish-fields.ts';

export interface NumberContext {
  /** The calendar year, of which the next one is the last model year. */
  year: number;
  /** Whether the number is a ZIP code. */
  isZip: (code: string) => boolean;
  /** Whether a car's name begins at the word. */
  isCar: (index: number) => boolean;
  /** Whether a car's name ends before the word. */
  isAfterCar: (index: number) => boolean;
}

/** A number with all that is said of it. */
export interface Mention {
  start: number;
  end: number;
  low: Amount;
  /** The upper end of a range. */
  high: Amount | null;
  bound: Bound | null;
  trail: Trail | null;
  noun: Noun | null;
  /** The text of the word after the mention. */
  next: string;
}

/** What a number was understood as. */
export type Told =
  | { kind: 'value'; fields: WishFields }
  | { kind: 'bare'; min?: number; max?: number }
  | { kind: 'refused'; reason: Refusal };

/** The ends of what is asked: of a range, or as the words before and after the number say. */
export function boundsOf({ low, high, bound, trail }: Mention): { min?: number; max?: number } {
  if (high) return low.value <= high.value ? { min: low.value, max: high.value } : { min: high.value, max: low.value };
  if (trail === 'max' || trail === 'older') return { max: low.value };
  if (trail === 'min' || trail === 'newer') return { min: low.value };
  if (bound === 'max' || bound === 'within' || bound === 'before' || bound === 'no newer') return { max: low.value };
  if (bound === 'min' || bound === 'from' || bound === 'after' || bound === 'no older') return { min: low.value };
  return {};
}
