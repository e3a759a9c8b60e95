import { readDataFile } from '../base/data-folder.ts';

interface CatalogueOption {
  value: string;
  label: string;
}

interface CatalogueFile {
  makes: CatalogueOption[];
  models: Record<string, (CatalogueOption & { years: [number, number] | null })[]>;
}

const file = JSON.parse(readDataFile('catalogue.json')) as CatalogueFile;
const modelsByMake = new Map(
  Object.entries(file.models).map(([make, models]) => [
    make,
    new Map(models.map(({ value, label, years }) => [value, { value, label, years }])),
  ]),
);
const labelsByMake = new Map(file.makes.map(({ value, label }) => [value, label]));

const YEARS_BACK = 30;

function options(values: readonly string[], label: (value: string) => string): readonly CatalogueOption[] {
  return values.map((value) => ({ value, label: label(value) }));
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The 42 makes, by label. */
export const makes: readonly CatalogueOption[] = file.makes;

/** Radii an alert can have; 'any' is sent as 100. */
export const distances = options(['5', '10', '25', '50', '100', 'any'], (value) =>
  value === 'any' ? 'Any distance' : `${value} miles`,
);

export const colors = options(
  'any black white silver gray blue red green yellow orange brown gold beige purple other'.split(' '),
  capitalised,
);

/** The models of a make, none for an unknown one. @param make slug */
export function modelsOf(make: string): readonly CatalogueOption[] {
  return [...(modelsByMake.get(make)?.values() ?? [])].map(({ value, label }) => ({ value, label }));
}

/** The first and last model year in the catalogue, between which there are gaps; null when it has none. */
export function modelYears(make: string, model: string): [number, number] | null {
  return modelsByMake.get(make)?.get(model)?.years ?? null;
}

/** Whether a slug is a make of the catalogue. */
export function isMake(make: string): boolean {
  return labelsByMake.has(make);
}

/** Whether a slug is a model of this make; false for an unknown make. */
export function isModelOf(make: string, model: string): boolean {
  return modelsByMake.get(make)?.has(model) ?? false;
}

/** Whether it is one of the catalogue's values for a color, which include 'any' and 'other'. */
export function isColor(color: string): boolean {
  return colors.some(({ value }) => value === color);
}

/** The make as shown; an unknown slug is shown as it is. */
export function makeLabel(make: string): string {
  return labelsByMake.get(make) ?? make;
}

/** The model as shown; an unknown slug is shown as it is. */
export function modelLabel(make: string, model: string): string {
  return modelsByMake.get(make)?.get(model)?.label ?? model;
}

/** The current year (UTC) and the 30 before it, newest first. */
export function years(now: Date): readonly CatalogueOption[] {
  const newest = now.getUTCFullYear();
  return Array.from({ length: YEARS_BACK + 1 }, (_, back) => String(newest - back)).map((year) => ({
    value: year,
    label: year,
  }));
}
