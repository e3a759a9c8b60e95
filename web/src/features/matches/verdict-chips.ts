import type { Criterion, VerdictKind } from '../../gql/graphql.ts';
import { dollars } from '../../lib/text/amounts.ts';
import { capitalised } from '../../lib/text/words.ts';

interface Criteria {
  model?: string | null;
  models?: readonly string[] | null;
  yearMin?: number | null;
  yearMax?: number | null;
  priceMin?: number | null;
  priceMax?: number | null;
  color: string;
  radius: number;
  onlyWithImages: boolean;
}

export interface VerdictChip {
  criterion: Criterion;
  text: string;
  tone: 'met' | 'not_stated' | 'not_met';
}

function yearsText({ yearMin, yearMax }: Criteria): string | null {
  if (yearMin != null && yearMax != null) return yearMin === yearMax ? `${yearMin}` : `${yearMin}–${yearMax}`;
  if (yearMin != null) return `${yearMin} or newer`;
  return yearMax == null ? null : `${yearMax} or older`;
}

/** A minimum of $0 is no limit. */
function pricesText({ priceMin, priceMax }: Criteria): string | null {
  const min = priceMin || null;
  if (min !== null && priceMax != null) return `${dollars(min)}–${dollars(priceMax)}`;
  if (min !== null) return `over ${dollars(min)}`;
  return priceMax == null ? null : `under ${dollars(priceMax)}`;
}

const asksModel = ({ model, models }: Criteria): boolean => Boolean(model) || Boolean(models?.length);

/**
 * A criterion of the alert in two or three words; null if the alert lacks it.
 * @param vehicle the name of the make or model
 * @param asked what a filter asks for
 */
function criterionText(criterion: Criterion, criteria: Criteria, vehicle: string, asked: string | null): string | null {
  switch (criterion) {
    case 'make':
      return asksModel(criteria) ? null : vehicle;
    case 'model':
      return asksModel(criteria) ? vehicle : null;
    case 'year':
      return yearsText(criteria);
    case 'price':
      return pricesText(criteria);
    case 'color':
      return criteria.color === 'any' ? null : capitalised(criteria.color);
    case 'image':
      return criteria.onlyWithImages ? 'with photos' : null;
    case 'distance':
      return `within ${criteria.radius} mi`;
    default:
      return asked;
  }
}

const notStatedText: Partial<Record<Criterion, string>> = {
  image: 'no photo',
  titleStatus: 'title status not stated',
};

/** Names as `Toyota Camry`; of an alert for any model, as `Toyota`. */
interface Vehicles {
  /** What the alert asks for. */
  asked: string;
  /** What the car is. */
  found: string;
}

/** The chips of a match: criteria that are met, then those that the alert asks for and the seller does not state. */
export function verdictChips(
  verdicts: readonly { criterion: Criterion; verdict: VerdictKind; asked?: string | null }[],
  criteria: Criteria,
  vehicles: Vehicles,
): VerdictChip[] {
  const chips = verdicts.flatMap(({ criterion, verdict, asked = null }): VerdictChip[] => {
    const text = criterionText(criterion, criteria, verdict === 'met' ? vehicles.found : vehicles.asked, asked);
    if (verdict === 'not_stated') {
      // That there is no photo is news for an alert that takes such cars too.
      if (text === null && criterion !== 'image') return [];
      return [{ criterion, tone: verdict, text: notStatedText[criterion] ?? `${criterion} not stated` }];
    }
    return text === null ? [] : [{ criterion, tone: verdict, text: verdict === 'met' ? text : `not ${text}` }];
  });
  const rank = { met: 0, not_met: 1, not_stated: 2 };
  return chips.sort((a, b) => rank[a.tone] - rank[b.tone]);
}
