import { makeLabel, modelLabel } from '../catalogue.ts';
import { modelNamed } from '../forms/filter-values.ts';

/** Which cars an alert asks for: its model and its further models, or any model of its make. */
export interface AskedCars {
  make: string;
  model?: string | null | undefined;
  /** `corolla` of the make, or `honda/civic`. */
  models?: readonly string[] | null | undefined;
}

/** The models that are asked of each make, the alert's make first; null: any model. */
export function askedCars({ make, model, models }: AskedCars): Map<string, string[] | null> {
  const cars = new Map<string, string[] | null>();
  const named = [...(model ? [{ make, model }] : []), ...(models ?? []).map((name) => modelNamed(make, name))];
  if (named.length === 0) return cars.set(make, null);
  for (const one of named) {
    const known = cars.get(one.make) ?? [];
    if (!known.includes(one.model)) cars.set(one.make, [...known, one.model]);
  }
  return cars;
}

const anyOf = (labels: readonly string[]): string => labels.join(' or ');

/** The makes that are asked for: 'Honda or Toyota'. */
export const makesText = (cars: ReadonlyMap<string, unknown>): string => anyOf([...cars.keys()].map(makeLabel));

/** The models that are asked for: 'Civic or Corolla'; null for any. */
export function modelsText(cars: ReadonlyMap<string, readonly string[] | null>): string | null {
  const labels = [...cars].flatMap(([make, models]) => (models ?? []).map((model) => modelLabel(make, model)));
  return labels.length === 0 ? null : anyOf(labels);
}
