import { type FilterKind, filterKinds, filterValues, mileageText } from '@lotwatch/api/forms/filter-values';

type Words = Readonly<Record<string, string>>;

interface Filters extends Partial<Record<FilterKind, string | null>> {
  mileageMax?: number | null;
  excludeWords?: readonly string[] | null;
  requireWords?: readonly string[] | null;
  priceStated?: boolean | null;
  belowFairPrice?: boolean;
}

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ');

/** The filters of an alert in a few words each. */
export function filterTexts(alert: Filters): string[] {
  const { mileageMax, excludeWords, requireWords, priceStated } = alert;
  return [
    ...(mileageMax == null ? [] : [mileageText(mileageMax)]),
    ...filterKinds.flatMap((kind) => (alert[kind] ? [(filterValues[kind] as Words)[alert[kind]] ?? alert[kind]] : [])),
    ...(excludeWords?.length ? [`Without ${quoted(excludeWords)}`] : []),
    ...(requireWords?.length ? [`With ${quoted(requireWords)}`] : []),
    ...(priceStated == null ? [] : [priceStated ? 'Only with a stated price' : 'Also without a stated price']),
    ...(alert.belowFairPrice ? ['Only below the fair price'] : []),
  ];
}
