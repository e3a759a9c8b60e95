import fc, { type Arbitrary } from 'fast-check';
import { type Mutation, mutation } from './mutations.ts';
import type { Description, Operation, Schema } from './read-description.ts';

/** One in so many optional fields is left out, and one in so many nullable values is null. */
const RARE = 5;
/** The length of a text where the schema bounds none, and how far one is drawn above the least. */
const MAX_LENGTH = 60;
const resolved = (schema: Schema, resolve: (schema: Schema) => Schema): Schema => {
  const { allOf, ...own } = resolve(schema);
  return (allOf ?? []).reduce<Schema>((merged, part) => merge(merged, resolved(part, resolve)), own);
};

function merge(a: Schema, b: Schema): Schema {
  return {
    ...a,
    ...b,
    properties: { ...a.properties, ...b.properties },
    required: [...(a.required ?? []), ...(b.required ?? [])],
  };
}

/** Draws valid values of a schema, mostly its examples, which exist. */
function validValue(given: Schema, resolve: (schema: Schema) => Schema): Arbitrary<unknown> {
  const schema = resolved(given, resolve);
  const examples = [...(schema.examples ?? []), ...('example' in schema ? [schema.example] : [])];
  const drawn = drawnValue(schema, resolve);
  // An example of an object is one of many; its fields have their own.
  if (examples.length === 0 || schema.properties) return drawn;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...examples) }, { weight: 1, arbitrary: drawn });
}

function drawnValue(schema: Schema, resolve: (schema: Schema) => Schema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { oneOf, anyOf, ...whole } = schema;
  const choices = oneOf ?? anyOf;
  // Beside fields they are conditions on the whole object.
  if (choices && schema.properties) {
    const required = (choice: Schema) => [...(schema.required ?? []), ...(choice.required ?? [])];
    return fc.oneof(...choices.map((choice) => ofType('object', { ...whole, required: required(choice) }, resolve)));
  }
  if (choices) return fc.oneof(...choices.map((choice) => validValue(choice, resolve)));
  const types = [schema.type ?? (schema.properties ? 'object' : 'string')].flat();
  const some = types.filter((type) => type !== 'null').map((type) => ofType(type, schema, resolve));
  if (some.length === 0) return fc.constant(null);
  const value = fc.oneof(...some);
  return types.includes('null') ? fc.option(value, { freq: RARE }) : value;
}

function ofType(type: string, schema: Schema, resolve: (schema: Schema) => Schema): Arbitrary<unknown> {
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 });
  if (type === 'number') return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e6, noNaN: true });
  if (type === 'array') return fc.array(validValue(schema.items ?? {}, resolve), { maxLength: 5 });
  if (type === 'object') {
    const fields = Object.entries(schema.properties ?? {});
    return fc.record(Object.fromEntries(fields.map(([name, part]) => [name, validValue(part, resolve)])), {
      requiredKeys: schema.required ?? [],
    });
  }
  return text(schema);
}

function text({ format, pattern, minLength = 0, maxLength = MAX_LENGTH }: Schema): Arbitrary<string> {
  if (format === 'email') {
    return fc.nat(1e6).map((number) => `person-${number}@example.test`);
  }
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const most = Math.max(minLength, Math.min(maxLength, minLength + MAX_LENGTH));
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.stringMatching(/^[a-zA-Z0-9 ]*$/, { size: '+1' }).map((drawn) => fit(drawn, minLength, most)),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: most }) },
  );
}

const fit = (drawn: string, least: number, most: number) => drawn.padEnd(least, 'x').slice(0, most);

const roles = ['user', 'admin', 'free', 'visitor'] as const;
export type Role = (typeof roles)[number];

/** A request without ids and passwords, which are filled in when it is sent. */
export interface Draft {
  operation: Operation;
  role: Role;
  /** Chooses among existing records. */
  pick: number;
  query: Record<string, unknown>;
  body: unknown;
  mutation: Mutation | null;
}

/** Calls that hash a password take long on purpose. */
export const hashesPasswords = ({ path }: Operation): boolean => /\/(login|register|change-password)$/.test(path);
/** Operations that would change the session of a person. */
const signsIn = ({ path }: Operation): boolean => /\/(login|register)$/.test(path);
const WRONG_IN_A_HUNDRED = 38;

function roleFor(operation: Operation): Arbitrary<Role> {
  if (signsIn(operation)) return fc.constant('visitor');
  const weights: Record<Role, number> = operation.path.includes('/admin/')
    ? { user: 1, admin: 12, free: 0, visitor: 1 }
    : { user: 10, admin: 6, free: 2, visitor: 1 };
  return fc.oneof(...roles.map((role) => ({ weight: weights[role], arbitrary: fc.constant(role) })));
}

function weightOf(operation: Operation): number {
  if (hashesPasswords(operation)) return 1;
  return /\/(logout|debug\/[\w-]+)$/.test(operation.path) ? 1 : 4;
}

/** A parameter, which is sometimes left out if it is optional. */
function bodyOf({ schema, isRequired }: NonNullable<Operation['body']>, resolve: Description['resolve']) {
  const body = validValue(schema, resolve);
  return isRequired ? body : fc.option(body, { nil: undefined, freq: 10 });
}

/** Draws requests for every operation of a description, most of them valid. */
export function drafts({ operations, resolve }: Description): Arbitrary<Draft> {
  const draftOf = (operation: Operation): Arbitrary<Draft> => {
    const asked = operation.parameters.filter((parameter) => parameter.in === 'query');
    const query = Object.fromEntries(asked.map(({ name, schema = {} }) => [name, validValue(schema, resolve)]));
    return fc.record({
      operation: fc.constant(operation),
      role: roleFor(operation),
      pick: fc.nat(),
      query: fc.record(query, { requiredKeys: asked.filter(({ required }) => required).map(({ name }) => name) }),
      body: operation.body ? bodyOf(operation.body, resolve) : fc.constant(undefined),
      mutation: fc.oneof(
        { weight: 100 - WRONG_IN_A_HUNDRED, arbitrary: fc.constant(null) },
        { weight: WRONG_IN_A_HUNDRED, arbitrary: mutation },
      ),
    });
  };
  return fc.oneof(...operations.map((operation) => ({ weight: weightOf(operation), arbitrary: draftOf(operation) })));
}
