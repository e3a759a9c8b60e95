import { z } from 'zod';
import { badRequest } from './stripe-error.ts';

/** The kinds of parameters; all of them arrive as text. */
export const text = z.string().min(1).max(5000);
/** A text that clears the value when it is empty. */
export const clearable = z
  .string()
  .max(5000)
  .transform((given) => given || null);
export const flag = z.enum(['true', 'false']).transform((given) => given === 'true');
export const whole = z
  .string()
  .regex(/^-?\d{1,12}$/, 'must be a whole number')
  .transform(Number);
export const address = z.string().max(5000).refine(URL.canParse, 'Not a valid URL');
/** An empty value removes its name. */
export const metadata = z.union([
  z.literal('').transform((): Record<string, string> => ({})),
  z.record(z.string().min(1).max(40), z.string().max(500)),
]);

/** The stored metadata with the changes of a request. */
export function mergeMetadata(kept: Record<string, string>, given: Record<string, string> | undefined) {
  return Object.fromEntries(Object.entries({ ...kept, ...given }).filter(([, value]) => value !== ''));
}

export const listFields = {
  limit: whole.refine((given) => given >= 1 && given <= 100, 'must be from 1 to 100').optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: z
    .union([
      whole,
      z.strictObject({ gt: whole.optional(), gte: whole.optional(), lt: whole.optional(), lte: whole.optional() }),
    ])
    .optional(),
};

const paramName = (path: readonly PropertyKey[]): string =>
  path.map((part, at) => (at === 0 ? String(part) : `[${String(part)}]`)).join('');

/** @throws StripeError parameter_unknown, parameter_missing or parameter_invalid */
export function checkFields<S extends z.ZodType>(shape: S, given: unknown): z.output<S> {
  const result = shape.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (!issue) throw badRequest('Invalid request.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => paramName([...issue.path, key]));
    throw badRequest(`Received unknown parameter: ${names.join(', ')}`, names[0], 'parameter_unknown');
  }
  const param = paramName(issue.path);
  if (issue.code === 'invalid_type' && issue.input === undefined)
    throw badRequest(`Missing required param: ${param}.`, param, 'parameter_missing');
  throw badRequest(`Invalid ${param}: ${issue.message}`, param, 'parameter_invalid');
}
