import type { ExplainListingQuery } from '../../gql/graphql.ts';
import { priceText } from '../../lib/text/amounts.ts';
import { capitalised } from '../../lib/text/words.ts';
import { endedTexts } from '../listings/listing-facts.ts';

export type Explanation = ExplainListingQuery['explainListing'];
type Car = Explanation['choices'][number];
type Verdict = Explanation['verdicts'][number];

/** `titleStatus` → `Title status`. */
const nameOf = (criterion: string): string =>
  criterion === 'image' ? 'Photos' : capitalised(criterion.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

const outcomes = { met: 'fits', not_met: 'does not fit', not_stated: 'not stated' } as const;

/** What is known of the car besides its title: `$15,400 · Pasadena, CA · Sold`. */
export const carFacts = ({ price, place, status }: Car): string =>
  [priceText(price), place, status === 'for_sale' ? null : endedTexts[status]].filter(Boolean).join(' · ');

/** A verdict in words: the criterion, what the car has, and what the alert asks for. */
export function verdictWords({ criterion, verdict, asked, found }: Verdict) {
  const nothing = criterion === 'image' ? 'No photo' : 'Not stated';
  return { name: nameOf(criterion), outcome: outcomes[verdict], found: found ?? nothing, asked: asked ?? 'Any' };
}
