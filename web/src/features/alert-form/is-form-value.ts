import type { AlertFormValues } from './alert-form-values.ts';

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one: unknown) => typeof one === 'string');

/** Fields that may also be null, and what else they hold. */
const nullable: Readonly<Record<string, (value: unknown) => boolean>> = {
  priceStated: (value) => typeof value === 'boolean',
  models: isTextList,
  excludeWords: isTextList,
  requireWords: isTextList,
  quietHours: (value) => typeof value === 'object',
} satisfies {
  [Name in keyof AlertFormValues as null extends AlertFormValues[Name] ? Name : never]-?: (value: unknown) => boolean;
};

/**
 * Whether a value that was stored, or came with an address, is one that the form can hold in this field.
 * @param values a parameter, so that the sign-in page, which only asks for a draft, doesn't load the form's schema
 */
export function isFormValue(name: string, value: unknown, values: AlertFormValues): boolean {
  if (!Object.hasOwn(values, name)) return false;
  const holds = nullable[name];
  return holds ? value === null || holds(value) : typeof value === typeof values[name as keyof AlertFormValues];
}
