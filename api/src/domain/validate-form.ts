import { type AnyObject, type ObjectSchema, ValidationError } from 'yup';
import { refuseInvalid } from '../base/errors.ts';

/** Messages by field name. */
export type Faults = Record<string, string>;

const hasType = (type: string, value: unknown): boolean =>
  type === 'array' ? Array.isArray(value) : typeof value === type;

/** Replaces a value of the wrong type, as Yup would read some objects as references. */
const MISTYPED = Object.freeze({});

/**
 * Validates an input by the schema of its form. null and '' count as left out. Unlike in a form, a value of another
 * type is refused and not converted. Only own properties that are fields of the schema are read.
 * @param context what the schema's tests need beside the values
 * @returns the values after the schema's transforms and defaults, and the first message of each refused field
 */
export function validateForm<T extends AnyObject>(
  schema: ObjectSchema<T>,
  input: object,
  context?: AnyObject,
): { values: T; faults: Faults } {
  const sent: AnyObject = input;
  const typed: AnyObject = {};
  const mistyped: AnyObject = {};
  // In Yup's types a field may also be a reference to another field, which no form uses.
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
    for (const { path, message } of error.inner) faults[path?.match(/^\w+/)?.[0] ?? ''] ??= message;
  }
  return { values, faults };
}

/** Returns the values of `validateForm`. @throws AppError VALIDATION with `fields` when a field is refused */
export function parseForm<T extends AnyObject>(schema: ObjectSchema<T>, input: object, context?: AnyObject): T {
  const { values, faults } = validateForm(schema, input, context);
  refuseInvalid(faults);
  return values;
}
