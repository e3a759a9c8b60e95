import { type AnyObject, array, boolean, type TestContext } from 'yup';
import { grouped, text } from './fields.ts';

/** The facts with fixed values that an alert can ask for, and the values, as they are shown. */
export const filterValues = {
  transmission: { automatic: 'Automatic', manual: 'Manual' },
  fuel: { gas: 'Gas', diesel: 'Diesel', hybrid: 'Hybrid', plug_in_hybrid: 'Plug-in hybrid', electric: 'Electric' },
  drive: { awd: 'All-wheel drive', '4wd': 'Four-wheel drive', fwd: 'Front-wheel drive', rwd: 'Rear-wheel drive' },
  body: {
    sedan: 'Sedan',
    suv: 'SUV',
    truck: 'Truck',
    coupe: 'Coupe',
    hatchback: 'Hatchback',
    wagon: 'Wagon',
    van: 'Van',
    convertible: 'Convertible',
  },
  titleStatus: { clean: 'Clean title', salvage: 'Salvage title', rebuilt: 'Rebuilt title' },
  seller: { private: 'Private seller', dealer: 'Dealer' },
} as const;

/** What the facts are called. */
export const filterWords = {
  transmission: 'Transmission',
  fuel: 'Fuel',
  drive: 'Drive',
  body: 'Body',
  titleStatus: 'Title status',
  seller: 'Seller',
} as const;

/** A fact with fixed values. */
export type FilterKind = keyof typeof filterValues;
export const filterKinds = Object.keys(filterValues) as readonly FilterKind[];

/** Further models beside the alert's own: each is a row of the search for each cell. */
export const MAX_MODELS = 10;
export const MAX_WORDS = 10;
export const MAX_WORD_LENGTH = 40;

const unknownModels = 'Please choose models from the list';
const tooManyModels = `Please choose at most ${MAX_MODELS} models`;
export const ownModelMissing = 'Please choose at least one model of this make';
const unknownWords = 'Please enter words, each of letters or digits';
const tooManyWords = `Please enter at most ${MAX_WORDS} words`;
const longWords = `Please enter words of at most ${MAX_WORD_LENGTH} characters`;
const unknownStated = 'Please choose yes, no or no preference';
export const unknownChoice = 'Please choose a value from the list';

/*
 * Upper case, accented upper case and what separates words, each with what it counts as: the same table makes words of a
 * title in SQL.
 */
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜ';
const lower = 'abcdefghijklmnopqrstuvwxyzàáâãäçèéêëìíîïñòóôõöùúûü';
const separators = '\t\n\r !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~\u00a0·•–—‘’“”…';
export const wordFolds = { from: upper + separators, to: lower + ' '.repeat(separators.length) } as const;
const folds = new Map([...wordFolds.from].map((from, at) => [from, wordFolds.to[at] ?? ' ']));

/** The words of a text in lower case, separated by single blanks: 'As-Is!' is 'as is'. */
export const plainWords = (value: string): string =>
  [...value.replace(/[\p{Cc}\p{Cs}]/gu, ' ')]
    .map((letter) => folds.get(letter) ?? letter)
    .join('')
    .replace(/ +/g, ' ')
    .replace(/^ | $/g, '');

/** The make and the slug of a model that is given as `corolla` or `toyota/corolla`. @param make the alert's */
export function modelNamed(make: string, name: string): { make: string; model: string } {
  const slash = name.indexOf('/');
  return slash < 0 ? { make, model: name } : { make: name.slice(0, slash), model: name.slice(slash + 1) };
}

/** Models as they are stored: each once, of the alert's make by its slug alone, of another one with its make. */
export function plainModels(make: string, models: readonly string[]): string[] {
  const named = models.map((name) => modelNamed(make, name.trim()));
  return [...new Set(named.map((one) => (one.make === make ? one.model : `${one.make}/${one.model}`)))];
}

/** One of the values of a fact; null means any. */
const kind = (name: FilterKind) =>
  text()
    .typeError(unknownChoice)
    .transform((value: unknown) => (value === '' ? null : value))
    .nullable()
    .default(null)
    .oneOf([...Object.keys(filterValues[name]), null], unknownChoice);

/** An empty list counts as none. */
const orNull = (value: unknown): unknown => (Array.isArray(value) && value.length === 0 ? null : value);

const words = () =>
  array(text().typeError(unknownWords).required(unknownWords).max(MAX_WORD_LENGTH, longWords))
    .typeError(unknownWords)
    .transform((value: unknown) =>
      orNull(
        Array.isArray(value)
          ? [...new Set(value.map((word) => (typeof word === 'string' ? plainWords(word) : word)))]
          : value,
      ),
    )
    .nullable()
    .default(null)
    .max(MAX_WORDS, tooManyWords);

const models = array(text().typeError(unknownModels).required(unknownModels).max(100, unknownModels))
  .typeError(unknownModels)
  .transform(orNull)
  .nullable()
  .default(null)
  .max(MAX_MODELS, tooManyModels)
  .test('known', unknownModels, (names, context) => {
    const { isModelOf } = (context.options.context ?? {}) as { isModelOf?: (make: string, model: string) => boolean };
    if (!names || !isModelOf) return true;
    return names.every((name: unknown) => {
      if (typeof name !== 'string') return false;
      const { make, model } = modelNamed(context.parent.make, name.trim());
      return isModelOf(make, model);
    });
  });

/** The filters without bounds, in the order of the form. */
export const filterFields = {
  models,
  transmission: kind('transmission'),
  fuel: kind('fuel'),
  drive: kind('drive'),
  body: kind('body'),
  titleStatus: kind('titleStatus'),
  seller: kind('seller'),
  excludeWords: words(),
  requireWords: words(),
  priceStated: boolean().typeError(unknownStated).nullable().default(null),
  belowFairPrice: boolean().typeError('Please choose yes or no').default(false),
};

/** Refuses models that leave out the make by which the alert is called. */
export const hasOwnModel = {
  name: 'own-model',
  test({ make, model, models }: AnyObject, { createError }: TestContext) {
    const isOwn =
      model ||
      !Array.isArray(models) ||
      models.length === 0 ||
      models.some((name) => modelNamed(make, `${name}`).make === make);
    return isOwn || createError({ path: 'models', message: ownModelMissing });
  },
};

/** 'Up to 90,000 miles' */
export const mileageText = (miles: number): string => `Up to ${grouped(miles)} miles`;
