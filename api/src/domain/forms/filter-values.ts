/*
 * What the filters of alerts ask for, without the schema of the form: the web client shows it on pages that have no form.
 */

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

/** 'Up to 90,000 miles' */
export const mileageText = (miles: number): string => `Up to ${miles.toLocaleString('en-US')} miles`;
