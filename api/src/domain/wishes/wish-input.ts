import { alertFieldNames } from '../forms/alert.ts';
import type { Wish, WishFields } from './wish-fields.ts';
import { lackingSentence, otherModelSentence, refusalSentence, wishLabel } from './wish-labels.ts';

/** A part of a wish that fills fields of the form. */
export interface FilledPart {
  /** Names of the alert's fields. */
  fields: string[];
  /** The words that it was read from. */
  text: string;
  /** What was understood, as it is shown. */
  value: string;
}

/** A wish as the form takes it. */
export interface FormWish {
  /** Values of an alert's fields by name. */
  input: Readonly<Record<string, unknown>>;
  understood: FilledPart[];
  /** A sentence for each part that fills no field. */
  notUnderstood: string[];
}

/** Whether an alert has the field. What a wish asks beyond its fields is said, and is filled in once there is a field. */
const isAlertField = (name: string): boolean => (alertFieldNames as readonly string[]).includes(name);

/** The wish as far as an alert has fields for it. @param isAsked whether an alert has the field; for tests */
export function formWish(wish: Wish, isAsked: (name: string) => boolean = isAlertField): FormWish {
  const input: Record<string, unknown> = {};
  const understood: FilledPart[] = [];
  const notUnderstood: string[] = [];
  for (const { fields, text } of wish.understood) {
    const filled: WishFields = {};
    for (const [name, value] of Object.entries(fields) as [keyof WishFields, never][]) {
      if (name === 'models' || (name === 'make' && fields.models)) continue;
      if (!isAsked(name)) notUnderstood.push(lackingSentence(text, name));
      else filled[name] = value;
    }
    Object.assign(input, filled);
    if (fields.models) {
      const car = isAsked('models') ? carsOf(wish) : firstModel(fields, input);
      if (car) understood.push({ fields: Object.keys(car), text, value: wishLabel(fields) });
      else notUnderstood.push(otherModelSentence(text));
      Object.assign(input, car);
    }
    if (Object.keys(filled).length > 0)
      understood.push({ fields: Object.keys(filled), text, value: wishLabel(filled) });
  }
  notUnderstood.push(...wish.notUnderstood.map(({ text, reason }) => refusalSentence(text, reason)));
  return { input, understood, notUnderstood };
}

/** All cars, where an alert may have several models. */
const carsOf = ({ fields: { make, models = [] } }: Wish): Record<string, unknown> =>
  models.length === 1 && make ? { make, model: models[0] } : { ...(make ? { make } : {}), models };

/** The first model that a wish names, where an alert has one; null for the others. */
function firstModel(
  { make, models }: WishFields,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  return input.model === undefined ? { make, model: models?.[0] } : null;
}
