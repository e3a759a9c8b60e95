import { type AnyObject, array, boolean, type TestContext } from 'yup';
import { text } from './fields.ts';
import {
  type FilterKind,
  filterValues,
  MAX_MODELS,
  MAX_WORD_LENGTH,
  MAX_WORDS,
  modelNamed,
  plainWords,
} from './filter-values.ts';

const unknownModels = 'Please choose models from the list';
const tooManyModels = `Please choose at most ${MAX_MODELS} models`;
export const ownModelMissing = 'Please choose at least one model of this make';
const unknownWords = 'Please enter words, each of letters or digits';
const tooManyWords = `Please enter at most ${MAX_WORDS} words`;
const longWords = `Please enter words of at most ${MAX_WORD_LENGTH} characters`;
const unknownStated = 'Please choose yes, no or no preference';
export const unknownChoice = 'Please choose a value from the list';

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
