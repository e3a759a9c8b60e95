/** One observation: its amounts by feature, what it is, and how much it counts. */
export interface Observation {
  features: ReadonlyMap<string, number>;
  isTrue: boolean;
  weight: number;
}

const STEPS = 600;
const STEP_SIZE = 0.08;
const FORGET = [0.9, 0.999] as const;

/**
 * The weights under which the observations are most probable, kept near what was known before by a penalty on the squares
 * of the differences; nothing known is 0. Of features that fewer
 * than `minimum` observations have, only the known ones get a weight. There is no chance in it, so that the same observations give the
 * same weights. Source: logistic regression, by gradient descent with Adam's steps.
 */
export function fitLogistic(
  observations: readonly Observation[],
  { penalty, minimum, priors }: { penalty: number; minimum: number; priors: ReadonlyMap<string, number> },
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { features } of observations)
    for (const name of features.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isKnown = (name: string) => priors.has(name) || (counts.get(name) ?? 0) >= minimum;
  const names = [...new Set([...counts.keys(), ...priors.keys()])].filter(isKnown).sort();
  const index = new Map(names.map((name, at) => [name, at]));
  const rows = observations.map(({ features, isTrue, weight }) => {
    const known = [...features].filter(([name]) => index.has(name));
    return {
      at: Int32Array.from(known, ([name]) => index.get(name) ?? 0),
      amount: Float64Array.from(known, ([, amount]) => amount),
      is: isTrue ? 1 : 0,
      weight,
    };
  });
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const prior = Float64Array.from(names, (name) => priors.get(name) ?? 0);
  const weights = prior.slice();
  const mean = new Float64Array(names.length);
  const square = new Float64Array(names.length);
  const slope = new Float64Array(names.length);
  for (let step = 1; step <= STEPS; step++) {
    slope.fill(0);
    for (const { at, amount, is, weight } of rows) {
      let sum = 0;
      for (let place = 0; place < at.length; place++) sum += (weights[at[place] ?? 0] ?? 0) * (amount[place] ?? 0);
      const error = (weight * (1 / (1 + Math.exp(-sum)) - is)) / total;
      for (let place = 0; place < at.length; place++)
        slope[at[place] ?? 0] = (slope[at[place] ?? 0] ?? 0) + error * (amount[place] ?? 0);
    }
    for (let place = 0; place < weights.length; place++) {
      const gradient = (slope[place] ?? 0) + (penalty * ((weights[place] ?? 0) - (prior[place] ?? 0))) / total;
      mean[place] = FORGET[0] * (mean[place] ?? 0) + (1 - FORGET[0]) * gradient;
      square[place] = FORGET[1] * (square[place] ?? 0) + (1 - FORGET[1]) * gradient * gradient;
      const corrected = (mean[place] ?? 0) / (1 - FORGET[0] ** step);
      const size = Math.sqrt((square[place] ?? 0) / (1 - FORGET[1] ** step)) + 1e-8;
      weights[place] = (weights[place] ?? 0) - (STEP_SIZE * corrected) / size;
    }
  }
  return new Map(names.map((name, at) => [name, weights[at] ?? 0]));
}
