import { type EvidenceTable, featuresOf, type WordWeights } from '../src/domain/titles/car-evidence.ts';
import { fitLogistic } from './logistic-regression.ts';
import { type Minimum, type ReadExample, WordModel } from './word-weights.ts';

const MINIMUM: Minimum = { titles: 10, titlesBeside: 10 };
const PENALTY = 0.4;
/** Other things that name a vehicle are rarer among the examples than the mistakes about them are among adverts. */
const OTHER_WEIGHT = 1.2;
const MIN_OBSERVATIONS = 5;
/** What is known without any examples, where collected titles have few or none. */
const PRIORS: ReadonlyMap<string, number> = new Map([
  ['wanted', -30],
  ['another thing', -12],
  ['scale of a model', -6],
  ['part for it', -24],
  ['part inside', -10],
  ['for the car', -3],
  ['my own', 3],
]);
const PLACES = 100;
const rounded = (weight: number) => Math.round(weight * PLACES) / PLACES;

/** Makes the table of evidence from examples. */
export function train(examples: readonly ReadExample[]): EvidenceTable {
  const model = new WordModel(examples, MINIMUM);
  const seenFrom = { car: model.without(true), other: model.without(false) };
  const observations = examples.flatMap(({ words, vehicle, isCar, weight }) => {
    if (!vehicle) return [];
    const features = featuresOf(words, vehicle, isCar ? seenFrom.car : seenFrom.other);
    return [{ features, isTrue: isCar, weight: isCar ? weight : weight * OTHER_WEIGHT }];
  });
  const signs = fitLogistic(observations, { penalty: PENALTY, minimum: MIN_OBSERVATIONS, priors: PRIORS });
  const { words, before, after } = model.all();
  const tidy = (weights: ReadonlyMap<string, number>, least = 0) =>
    Object.fromEntries(
      [...weights]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, weight]) => [name, rounded(weight)] as const)
        .filter(([, weight]) => Math.abs(weight) >= least),
    );
  return {
    signs: tidy(signs, 1 / PLACES),
    words: tidy(words),
    before: tidy(before, MIN_BESIDE_WEIGHT),
    after: tidy(after, MIN_BESIDE_WEIGHT),
  };
}
const MIN_BESIDE_WEIGHT = 0.3;

/** The evidence for an example by a table that need not be the shipped one. null where no vehicle is named. */
export function judge(table: EvidenceTable): (example: ReadExample) => number | null {
  const mapOf = (weights: Readonly<Record<string, number>>) => new Map(Object.entries(weights));
  const signs = mapOf(table.signs);
  const weights: WordWeights = { words: mapOf(table.words), before: mapOf(table.before), after: mapOf(table.after) };
  return ({ words, vehicle }) => {
    if (!vehicle) return null;
    let sum = 0;
    for (const [name, amount] of featuresOf(words, vehicle, weights)) sum += (signs.get(name) ?? 0) * amount;
    return sum;
  };
}
