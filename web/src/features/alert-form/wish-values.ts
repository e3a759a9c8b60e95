import { modelNamed, plainModels } from '@lotwatch/api/forms/filter-values';
import type { ReadWishQuery } from '../../gql/graphql.ts';
import type { AlertFormValues } from './alert-form-values.ts';

type Values = Partial<AlertFormValues>;

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

const ranges = [
  ['yearMin', 'yearMax'],
  ['priceMin', 'priceMax'],
] as const;

type Input = ReadWishQuery['readWish']['input'];

/** Of several models the first is the form's make and model, and the others stand beside it. */
function carsFirst({ models, ...input }: Input): Omit<Input, 'models'> & { models?: string[] | null } {
  const [first, ...others] = models ?? [];
  if (first === undefined) return input;
  const { make, model } = modelNamed(input.make ?? '', first);
  return { ...input, make, model, models: others.length > 0 ? plainModels(make, others) : null };
}

/** The fields of the form that a wish changes, as the form holds them. A field that the wish does not name stays. */
export function wishChanges(input: Input, values: AlertFormValues): Values {
  const named = Object.entries(carsFirst(input)).filter(([name, value]) => value !== null && name in values);
  const filled = Object.fromEntries(
    named.map(([name, value]) => [name, typeof value === 'boolean' || Array.isArray(value) ? value : String(value)]),
  ) as Values;
  // A make without a model means any model of the make, not the ones that were chosen before.
  const whole: Values = filled.make === undefined ? filled : { model: '', models: null, ...filled };
  for (const [min, max] of ranges) {
    // `Over $60,000` leaves no room for the form's $50,000.
    const both = { ...values, ...whole };
    if (both[min] === '' || both[max] === '' || Number(both[min]) <= Number(both[max])) continue;
    if (filled[min] === undefined) whole[min] = '';
    if (filled[max] === undefined) whole[max] = '';
  }
  return Object.fromEntries(
    Object.entries(whole).filter(([name, value]) => !isSame(values[name as keyof AlertFormValues], value)),
  ) as Values;
}

/** The values that bring back what a wish replaced. What was changed by hand since then stays. */
export function undoneChanges(changes: Values, before: AlertFormValues, values: AlertFormValues): Values {
  const names = Object.keys(changes) as (keyof AlertFormValues)[];
  const untouched = names.filter((name) => isSame(values[name], changes[name]));
  return Object.fromEntries(untouched.map((name) => [name, before[name]])) as Values;
}
