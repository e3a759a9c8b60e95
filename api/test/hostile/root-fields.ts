import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
} from 'graphql';
import { ADMIN_PASSWORD } from '../make-app.ts';

/** A field of Query or Mutation, with an operation that passes every argument as a variable. */
export interface RootField {
  kind: 'query' | 'mutation';
  name: string;
  operation: string;
  /** Valid values of all arguments, including all fields of input objects. */
  variables: Record<string, unknown>;
  /** The paths of texts in the variables. */
  texts: readonly Path[];
  /** The paths of objects in the variables. */
  objects: readonly Path[];
}

export type Path = readonly (string | number)[];

/** Valid values by the name of the argument, so that only the value under test is invalid. */
const valuesByName: Record<string, unknown> = {
  make: 'toyota',
  model: 'camry',
  location: '90001',
  radius: 50,
  color: 'any',
  yearMin: 2010,
  yearMax: 2020,
  priceMin: 0,
  priceMax: 50_000,
  models: ['corolla'],
  transmission: 'manual',
  fuel: 'diesel',
  drive: 'awd',
  body: 'van',
  titleStatus: 'clean',
  seller: 'dealer',
  email: 'ana@example.test',
  phone: '+12133734567',
  timeZone: 'America/New_York',
  url: 'https://hooks.example/lotwatch',
  events: ['match.created'],
  sessionId: 'cs_test_1',
  password: 'secret-1',
  currentPassword: ADMIN_PASSWORD,
  newPassword: ADMIN_PASSWORD,
  first: 20,
  textNotifications: false,
  endpoint: 'https://push.example/device',
  p256dh: 'BG_wO5SSQc4drdQ1GeaWDgqFtBppoFwygQOqK84VlMoWPE91OlW_AdxT9sCwx-7ni0DG_30lqW4igrmJzvccFEo',
  auth: 'AAECAwQFBgcICQoLDA0ODw',
  from: '22:00',
  to: '07:00',
};

/** A valid value for an argument: by its name if that is known, else by its type. */
export function fittingValue(name: string, given: GraphQLInputType): unknown {
  if (valuesByName[name] !== undefined) return valuesByName[name];
  const type = getNullableType(given);
  if (isListType(type)) return [fittingValue(`one of ${name}`, type.ofType)];
  if (isInputObjectType(type)) {
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [field.name, fittingValue(field.name, field.type)]),
    );
  }
  if (isEnumType(type)) return type.getValues()[0]?.name;
  const byType: Record<string, unknown> = {
    ID: '1',
    Int: 1,
    Float: 1,
    Boolean: true,
    DateTime: '2026-01-01T00:00:00Z',
  };
  return byType[getNamedType(type).name] ?? 'x';
}

function pathsIn(value: unknown, is: (value: unknown) => boolean, path: Path = []): Path[] {
  const here = is(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return here;
  const isList = Array.isArray(value);
  return [
    ...here,
    ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, is, [...path, isList ? Number(key) : key])),
  ];
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

function rootField(kind: RootField['kind'], field: GraphQLField<unknown, unknown>): RootField {
  const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
  const variables = Object.fromEntries(field.args.map(({ name, type }) => [name, fittingValue(name, type)]));
  const withArguments = field.args.length > 0;
  return {
    kind,
    name: field.name,
    operation: `${kind}${withArguments ? ` (${declared})` : ''} { ${field.name}${withArguments ? `(${passed})` : ''}${selection} }`,
    variables,
    texts: pathsIn(variables, (value) => typeof value === 'string'),
    objects: pathsIn(variables, isObject).filter((path) => path.length > 0),
  };
}

/** Every field of Query and Mutation. */
export function rootFields(schema: GraphQLSchema): RootField[] {
  const of = (kind: RootField['kind'], fields: GraphQLField<unknown, unknown>[]) =>
    fields.map((field) => rootField(kind, field));
  return [
    ...of('query', Object.values(schema.getQueryType()?.getFields() ?? {})),
    ...of('mutation', Object.values(schema.getMutationType()?.getFields() ?? {})),
  ];
}

/** A copy of the variables with another value at the path. */
export function withValue<T>(value: T, [key, ...rest]: Path, put: unknown): T {
  if (key === undefined) return put as T;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string | number, unknown>;
  copy[key] = withValue(copy[key], rest, put);
  return copy as T;
}
