/*
 * How the facts of a car are shown, on the web client's cards and in mails.
 */

import { type FilterKind, filterValues } from './filter-values.ts';

/** The title statuses that a buyer has to know of, as they are shown. */
export const badTitles = {
  salvage: filterValues.titleStatus.salvage,
  rebuilt: filterValues.titleStatus.rebuilt,
  parts_only: 'For parts only',
  lien: 'Title with a lien',
} as const;

/** What is amiss with a car's title, in two or three words; null where nothing is known to be. */
export const badTitleText = (status: string | null | undefined): string | null =>
  (badTitles as Readonly<Record<string, string>>)[status ?? ''] ?? null;

/** A stated value as it is shown; null for one that says no more than that it is none of the usual ones. */
export function kindText(kind: FilterKind, value: string | null | undefined): string | null {
  const known: Readonly<Record<string, string>> = filterValues[kind];
  return (value && known[value]) || null;
}

export interface FurtherFacts {
  title: string;
  trim?: string | null;
  fuel?: string | null;
  drive?: string | null;
  body?: string | null;
}

const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()} `;

/** Trim, fuel, drive and body, where they are stated and say more than the title: 'EX-L', 'Hybrid', 'AWD', 'Wagon'. */
export function furtherFacts({ title, trim, fuel, drive, body }: FurtherFacts): string[] {
  const facts = [
    trim,
    fuel === 'gas' ? null : kindText('fuel', fuel),
    drive && drive !== 'other' ? drive.toUpperCase() : null,
    kindText('body', body),
  ];
  const words = plain(title);
  return facts.filter((fact) => fact != null).filter((fact) => !words.includes(plain(fact)));
}
