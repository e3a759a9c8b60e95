import { colors, makeLabel, modelLabel } from '../catalogue.ts';
import { kindLabel } from '../facts/kinds-from-text.ts';
import { filterKinds, mileageText } from '../forms/filter-values.ts';
import type { Refusal, WishFields } from './wish-fields.ts';

const count = (number: number): string => number.toLocaleString('en-US');
const dollars = (price: number): string => `$${count(price)}`;

function between(
  min: number | undefined,
  max: number | undefined,
  words: { both: (min: string, max: string) => string; min: (min: string) => string; max: (max: string) => string },
  show: (value: number) => string,
): string[] {
  if (min !== undefined && max !== undefined) return [min === max ? show(min) : words.both(show(min), show(max))];
  if (min !== undefined) return [words.min(show(min))];
  return max === undefined ? [] : [words.max(show(max))];
}

const year = {
  both: (min: string, max: string) => `${min} to ${max}`,
  min: (min: string) => `${min} or newer`,
  max: (max: string) => `${max} or older`,
};
const price = {
  both: (min: string, max: string) => `${min} to ${max}`,
  min: (min: string) => `From ${min}`,
  max: (max: string) => `Up to ${max}`,
};

/** What was understood, as it is shown: `Toyota Corolla`, `Up to $9,000`, `2014 or newer`. */
export function wishLabel(fields: WishFields): string {
  const { make, models, color, onlyWithImages: images } = fields;
  const car =
    make === undefined ? [] : [[makeLabel(make), ...(models ?? []).map((model) => modelLabel(make, model))].join(' ')];
  return [
    ...car,
    ...between(fields.yearMin, fields.yearMax, year, String),
    ...between(fields.priceMin, fields.priceMax, price, dollars),
    ...(fields.mileageMax === undefined ? [] : [mileageText(fields.mileageMax)]),
    ...(fields.location === undefined ? [] : [`Near ${fields.location}`]),
    ...(fields.radius === undefined ? [] : [`Within ${fields.radius} miles`]),
    ...(color === undefined ? [] : [colors.find(({ value }) => value === color)?.label ?? color]),
    ...(images === undefined ? [] : [images ? 'Only with images' : 'With or without images']),
    ...kindLabels(fields),
  ].join(', ');
}

function kindLabels(fields: WishFields): string[] {
  const quoted = (words: readonly string[]) => words.map((word) => `“${word}”`).join(', ');
  return [
    ...filterKinds.flatMap((kind) => {
      const value = kind in fields ? fields[kind as keyof WishFields] : undefined;
      return typeof value === 'string' ? [kindLabel(kind, value)] : [];
    }),
    ...(fields.excludeWords ? [`Without ${quoted(fields.excludeWords)}`] : []),
    ...(fields.requireWords ? [`With ${quoted(fields.requireWords)}`] : []),
    ...(fields.priceStated ? ['With a stated price'] : []),
    ...(fields.belowFairPrice ? ['Below the fair price'] : []),
  ];
}

const refusals: Record<Refusal, string> = {
  unread: 'was not understood.',
  unclear: 'may be a price, a year or a mileage. Write it as $9,000, as “2014 or newer”, or with “miles”.',
  vague: 'gives no limit. Write “up to” or “at least” before the number.',
  unwanted: 'is something that an alert cannot leave out.',
  'one make': 'is one of several makes. Choose one, and create an alert for each of the others.',
  'one color': 'is more than one color. An alert asks for one color or for any.',
  'one choice': 'is more than one choice. An alert takes one of them or any.',
  'one place': 'is a second place. An alert has one.',
  region: 'is a region or a county. An alert searches around one place: name a city or a ZIP code.',
  'too far': 'is too far. An alert searches within at most 100 miles.',
  'no minimum': 'is a lowest mileage, which an alert cannot ask for.',
  'second value': 'differs from what stands elsewhere, which was taken.',
  'unknown model': 'is not in our list of models.',
};

/** A sentence about words that fill no field. @param text the words */
export const refusalSentence = (text: string, reason: Refusal): string => `“${text}” ${refusals[reason]}`;
