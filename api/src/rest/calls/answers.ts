import type { AppError } from '../../base/errors.ts';

/** What an operation answers, its ids as numbers. */
export type Data = Readonly<Record<string, unknown>>;

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

/** How the body of a success is made of what the operation answered. */
export interface Answer {
  /** @throws AppError where nothing was found */
  of(data: Data): unknown;
  /** @param at the schema at a place in the operation's answer, like 'matches.nodes.listing'; null can't be there */
  schema(at: (path: string) => JsonSchema): JsonSchema;
}

/** What a field of the operation answered, as it is. */
export const field = (name: string): Answer => ({ of: (data) => data[name], schema: (at) => at(name) });

/** The same where null means that there is none. */
export const found = (name: string, missing: () => AppError): Answer => ({
  of(data) {
    const value = data[name];
    if (value === null) throw missing();
    return value;
  },
  schema: (at) => at(name),
});

/**
 * The same without what is null in it: of several outcomes one is there. @param outcomes the fields of each
 * @param beside fields that may be there, too
 */
export const outcome = (
  name: string,
  outcomes: readonly (readonly string[])[],
  beside: readonly string[] = [],
): Answer => ({
  of: (data) => Object.fromEntries(Object.entries(data[name] ?? {}).filter(([, value]) => value !== null)),
  schema: (at) => ({
    type: 'object',
    properties: Object.fromEntries([...outcomes.flat(), ...beside].map((inner) => [inner, at(`${name}.${inner}`)])),
    anyOf: outcomes.map((required) => ({ required })),
  }),
});

/** Always the same. */
export const constant = (text: string): Answer => ({ of: () => text, schema: () => ({ type: 'string', const: text }) });

/** A sentence, and fields of the operation beside it. @param beside names in the body, and fields of the operation */
export const sentence = (message: string, beside: Readonly<Record<string, string>> = {}): Answer =>
  parts({ message: constant(message) }, beside);

/** An object of parts that are made, and of fields of the operation. */
export function parts(made: Readonly<Record<string, Answer>>, asked: Readonly<Record<string, string>> = {}): Answer {
  const all = { ...made, ...Object.fromEntries(Object.entries(asked).map(([name, from]) => [name, field(from)])) };
  const each = <T>(make: (answer: Answer) => T) =>
    Object.fromEntries(Object.entries(all).map(([name, answer]) => [name, make(answer)]));
  return {
    of: (data) => each((answer) => answer.of(data)),
    schema: (at) => ({ type: 'object', properties: each((answer) => answer.schema(at)), required: Object.keys(all) }),
  };
}
