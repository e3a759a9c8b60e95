import { getNamedType, getNullableType, isListType } from 'graphql';
import { AppError, refuseInvalid } from '../../base/errors.ts';
import { aliases, type Call, guardedFields } from '../calls/call.ts';
import type { Input, ReadyCall } from '../calls/ready-call.ts';

type Values = Readonly<Record<string, unknown>>;

/** The parts of a request from which variables are read. */
interface Received {
  path: Values;
  query: Values;
  /** Any JSON; undefined without a body. */
  body: unknown;
}

/** Reads the operation's variables. @throws AppError VALIDATION */
export function readVariables({ call, path, query, body }: ReadyCall, received: Received): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const { name } of path) variables[name] = received.path[name];
  for (const input of query) {
    const value = received.query[input.name];
    if (value !== undefined && value !== '') variables[input.variable] = asTyped(input, value);
  }
  if (!body) return variables;
  const values = objectValues(call, body.fields, received.body);
  return body.variable === null ? { ...variables, ...values } : { ...variables, [body.variable]: values };
}

/** Reads the fields of an object, and of the objects in a list. */
function objectValues(call: Call, fields: readonly Input[], body: unknown): Record<string, unknown> {
  const sent = asObject(body);
  if (call.guarded) refuseGuarded(sent, fields);
  const values = call.method === 'PATCH' ? patchValues(fields, sent) : newValues(fields, sent);
  for (const { name, items } of fields) {
    const value = values[name];
    if (items && Array.isArray(value)) values[name] = value.map((item) => objectValues(call, items.fields, item));
  }
  return values;
}

/** Converts the text of a query string. What is not a number stays a text, which the operation refuses. */
function asTyped({ type }: Input, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (isListType(getNullableType(type))) return value.split(',');
  return getNamedType(type).name === 'Int' && /^-?\d+$/.test(value) ? Number(value) : value;
}

function asObject(body: unknown): Values {
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Values;
  throw new AppError('VALIDATION', 'Send a JSON object.');
}

function refuseGuarded(sent: Values, fields: readonly Input[]): void {
  const set = guardedFields.filter((name) => Object.hasOwn(sent, name) && !fields.some((field) => field.name === name));
  refuseInvalid(Object.fromEntries(set.map((name) => [name, `${name} can't be set.`])));
}

/** Returns a field by its name or an alias; undefined if it was not sent. Unknown fields are ignored. */
function sentValue(sent: Values, name: string): unknown {
  if (Object.hasOwn(sent, name)) return sent[name];
  const alias = Object.keys(aliases).find((other) => aliases[other] === name && Object.hasOwn(sent, other));
  return alias === undefined ? undefined : sent[alias];
}

/** Reads a new record: null and '' count as absent. */
function newValues(fields: readonly Input[], sent: Values): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const missing: Input[] = [];
  for (const input of fields) {
    const value = sentValue(sent, input.name);
    if (value !== undefined && value !== null && value !== '') values[input.name] = value;
    else if (input.isRequired) missing.push(input);
  }
  // An empty text is kept, so that validation reports it with the form's message; an empty number is dropped.
  const areTexts = missing.every(({ type }) => getNamedType(type).name === 'String');
  if (areTexts) for (const { name } of missing) values[name] = '';
  return values;
}

/** Reads changes: an absent field stays, null and '' clear it. */
function patchValues(fields: readonly Input[], sent: Values): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name } of fields) {
    const value = sentValue(sent, name);
    if (value !== undefined) values[name] = value === '' ? null : value;
  }
  return values;
}
