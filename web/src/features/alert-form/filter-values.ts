import { filterNames } from '@lotwatch/api/forms/alert';
import { type FilterKind, filterValues, plainWords } from '@lotwatch/api/forms/filter-values';
import type { AlertFormValues } from './alert-form-values.ts';

type Words = Readonly<Record<string, string>>;

/** The choices of a fact. */
export const kindOptions = (kind: FilterKind) =>
  Object.entries(filterValues[kind] as Words).map(([value, label]) => ({ value, label }));

const isSet = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== '' && value !== null && value !== undefined && value !== false;

/** How many of the further filters are set. A choice about the stated price is one, whichever it is. */
export const countFilters = (values: AlertFormValues): number =>
  filterNames.filter((name) => isSet(values[name]) || (name === 'priceStated' && values.priceStated === false)).length;

/** The words that a text names, separated by commas; null for none. */
export function wordsOf(text: string): string[] | null {
  const words = [...new Set(text.split(/[,;\n]/).map(plainWords))].filter((word) => word !== '');
  return words.length > 0 ? words : null;
}
