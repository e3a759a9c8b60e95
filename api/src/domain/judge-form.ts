import { type AnyObject, type ObjectSchema, ValidationError } from 'yup';
import { refuseInvalid } from '../base/errors.ts';

/** Messages by field name. */
export type Faults = Record<string, string>;

const hasType = (type: string, value: unknown): boolean =>
  type === 'array' ? Array.isArray(value) : typeof value === type;

/** Stands for a value of another type, which is refused as such. Yup would read some objects as references. */
const MISTYPED = Object.freeze({});

/**
 * Judges what was sent by the schema of its form. null and '' count as left out. Unlike in a form, a value of another
 * type is refused and not converted. Only the schema's fields are read, and only own ones, so that nothing inherited
 * counts as sent.
 * @param context what the schema's tests can ask beside the values
 * @returns the values as the schema reads them (trimmed, with defaults), and the first message of each refused field
 */
export function judgeForm<T extends AnyObject>(
  schema: ObjectSchema<T>,
  input: object,
  context?: AnyObject,
): { values: T; faults: Faults } {
  const sent: AnyObject = input;
  const typed: AnyObject = {};
  const mistyped: AnyObject = {};
  // Yup's type of a field could be a reference to another field as well, of which no form has one.
  const types = schema.fields as unknown as Record<string, { type: string }>;
  for (const [name, { type }] of Object.entries(types)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (value === undefined || value === null || value === '') continue;
    if (hasType(type, value)) typed[name] = value;
    else mistyped[name] = MISTYPED;
  }
  const values = { ...schema.cast(typed, { assert: false, context }), ...mistyped } as T;
  const faults: Faults = {};
  try {
    schema.validateSync(values, { strict: true, abortEarly: false, disableStackTrace: true, context });
  } catch (error) {
    if (!ValidationError.isError(error)) throw error;
    for (const { path, message } of error.inner) faults[path ?? ''] ??= message;
  }
  return { values, faults };
}

/** Reads a form as `judgeForm` does. @throws AppError VALIDATION with `fields` */
export function readForm<T extends AnyObject>(schema: ObjectSchema<T>, input: object, context?: AnyObject): T {
  const { values, faults } = judgeForm(schema, input, context);
  refuseInvalid(faults);
  return values;
}
