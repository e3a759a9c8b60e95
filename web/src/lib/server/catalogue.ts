import { useQuery } from '@apollo/client/react';
import { modelNamed } from '@lotwatch/api/forms/filter-values';
import { graphql } from '../../gql/gql.ts';
import type { CatalogueQuery } from '../../gql/graphql.ts';
import { capitalised } from '../text/words.ts';
import { useFailure } from './faults/use-failure.ts';

const CatalogueDocument = graphql(`
  query Catalogue {
    catalogue {
      makes { value label models { value label } }
      years { value label }
      distances { value label }
      colors { value label }
    }
  }
`);

export type Catalogue = CatalogueQuery['catalogue'];

/** Makes, models, years, distances and colours; fetched once. Undefined until it is loaded. */
export function useCatalogue(): Catalogue | undefined {
  return useQuery(CatalogueDocument).data?.catalogue;
}

/** A component that mounts later knows from the start that it failed, so no notice shifts the page late. */
let hasFailedBefore = false;

/** Fetches the catalogue again after a failure; undefined without one. */
export function useCatalogueRetry(): (() => void) | undefined {
  const result = useQuery(CatalogueDocument);
  const failure = useFailure(result);
  if (result.data) hasFailedBefore = false;
  else if (failure !== undefined) hasFailedBefore = true;
  const hasFailed = !result.data && hasFailedBefore;
  // A second failure keeps the notice.
  return hasFailed ? () => void result.refetch().catch(() => undefined) : undefined;
}

/** A slug as words, until the catalogue is loaded: `land-rover` → `Land Rover`. */
export function slugWords(slug: string): string {
  return slug.split('-').map(capitalised).join(' ');
}

interface AskedVehicles {
  make: string;
  model?: string | null;
  models?: readonly string[] | null;
}

/** The cars of an alert: `Toyota Camry`, `Toyota Camry or Corolla`, `Toyota Camry and 3 more`. */
export function askedLabel(catalogue: Catalogue | undefined, { make, model, models }: AskedVehicles): string {
  const cars = [...(model ? [{ make, model }] : []), ...(models ?? []).map((name) => modelNamed(make, name))];
  const [first = { make, model: null }, second] = cars;
  const name = vehicleLabel(catalogue, first.make, first.model);
  if (!second) return name;
  if (cars.length > 2) return `${name} and ${cars.length - 1} more`;
  const other = vehicleLabel(catalogue, second.make, second.model);
  const makeLabel = `${vehicleLabel(catalogue, make)} `;
  return `${name} or ${second.make === first.make ? other.replace(makeLabel, '') : other}`;
}

/** `Toyota Camry` from the slugs; a make alone gives `Toyota`. */
export function vehicleLabel(catalogue: Catalogue | undefined, make: string, model?: string | null): string {
  const known = catalogue?.makes.find((entry) => entry.value === make);
  const makeLabel = known?.label ?? slugWords(make);
  if (!model) return makeLabel;
  return `${makeLabel} ${known?.models.find((entry) => entry.value === model)?.label ?? slugWords(model)}`;
}
