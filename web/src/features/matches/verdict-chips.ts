import type { Criterion, VerdictKind } from '../../gql/graphql.ts';
import { dollars } from '../../lib/text/money.ts';
import { capitalised } from '../../lib/text/words.ts';

interface Asked {
  model?: string | null;
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

function yearsAsked({ yearMin, yearMax }: Asked): string | null {
  if (yearMin != null && yearMax != null) return yearMin === yearMax ? `${yearMin}` : `${yearMin}–${yearMax}`;
  if (yearMin != null) return `${yearMin} or newer`;
  return yearMax == null ? null : `${yearMax} or older`;
}

/** A minimum of $0 bounds nothing. */
function pricesAsked({ priceMin, priceMax }: Asked): string | null {
  const min = priceMin || null;
  if (min !== null && priceMax != null) return `${dollars(min)}–${dollars(priceMax)}`;
  if (min !== null) return `over ${dollars(min)}`;
  return priceMax == null ? null : `under ${dollars(priceMax)}`;
}

/** What the alert asks of a criterion in two or three words; null when it doesn't ask. */
function askedText(criterion: Criterion, asked: Asked): string | null {
  switch (criterion) {
    case 'make':
      return asked.model ? null : 'Make';
    case 'model':
      return asked.model ? 'Model' : null;
    case 'year':
      return yearsAsked(asked);
    case 'price':
      return pricesAsked(asked);
    case 'color':
      return asked.color === 'any' ? null : capitalised(asked.color);
    case 'image':
      return asked.onlyWithImages ? 'with photos' : null;
    case 'distance':
      return `within ${asked.radius} mi`;
  }
}

const notStatedText: Partial<Record<Criterion, string>> = { image: 'no photo' };

/** The quiet chips of a match: what was asked and met, then what the seller did not state. */
export function verdictChips(
  verdicts: readonly { criterion: Criterion; verdict: VerdictKind }[],
  asked: Asked,
): VerdictChip[] {
  const chips = verdicts.flatMap(({ criterion, verdict }): VerdictChip[] => {
    if (verdict === 'not_stated') {
      return [{ criterion, tone: verdict, text: notStatedText[criterion] ?? `${criterion} not stated` }];
    }
    const text = askedText(criterion, asked);
    return text === null ? [] : [{ criterion, tone: verdict, text: verdict === 'met' ? text : `not ${text}` }];
  });
  const rank = { met: 0, not_met: 1, not_stated: 2 };
  return chips.sort((a, b) => rank[a.tone] - rank[b.tone]);
}
