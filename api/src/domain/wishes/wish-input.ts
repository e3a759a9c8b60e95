import type { Wish } from './wish-fields.ts';
import { refusalSentence, wishLabel } from './wish-labels.ts';

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

/** The wish as values of the form, which has a field for each of its parts. */
export function formWish(wish: Wish): FormWish {
  const input: Record<string, unknown> = {};
  const understood: FilledPart[] = [];
  for (const { fields, text } of wish.understood) {
    const { make, models, ...filled } = fields;
    const others = make === undefined || models ? filled : { make, ...filled };
    Object.assign(input, others);
    if (models) {
      const car = carsOf(wish);
      understood.push({ fields: Object.keys(car), text, value: wishLabel(fields) });
      Object.assign(input, car);
    }
    if (Object.keys(others).length > 0)
      understood.push({ fields: Object.keys(others), text, value: wishLabel(others) });
  }
  return {
    input,
    understood,
    notUnderstood: wish.notUnderstood.map(({ text, reason }) => refusalSentence(text, reason)),
  };
}

/** All cars that a wish names. */
const carsOf = ({ fields: { make, models = [] } }: Wish): Record<string, unknown> =>
  models.length === 1 && make ? { make, model: models[0] } : { ...(make ? { make } : {}), models };
