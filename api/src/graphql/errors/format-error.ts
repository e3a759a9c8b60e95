import { GraphQLError, type GraphQLFormattedError, Kind, type OperationDefinitionNode } from 'graphql';
import { describeError, type ErrorDescription } from '../../base/describe-error.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { alertSchema } from '../../domain/forms/alert.ts';
import { generic } from '../../domain/forms/fields.ts';
import { loginSchema } from '../../domain/forms/sign-in.ts';
import { validateForm } from '../../domain/validate-form.ts';

/** The forms' messages for missing fields; for all others it is 'Required'. */
const requiredTexts = new Map(
  Object.entries({ ...validateForm(alertSchema, {}).faults, ...validateForm(loginSchema, {}).faults }),
);

/** graphql's message: the variable, its value, the path within it, and the fault. */
const badVariable =
  /^Variable "\$(\w+)" got invalid value [\s\S]*?(?: at "([\w.[\]]+)")?; ((?:Expected |Field "|Enum "|Value |\w+ cannot represent )[\s\S]*)$/;
const leftOut = /^Field "(\w+)" of required type .* was not provided\.$/;
const unknown = /^Field "(\w+)" is not defined by type/;
const missingVariable =
  /^Variable "\$(\w+)" of (?:required type ".*" was not provided|non-null type ".*" must not be null)\.$/;
const nothing = /^Expected non-nullable type .* not to be null\.$/;

/**
 * Describes the fault of a variable's value by its field, without the value, as graphql repeats whole inputs, passwords
 * included. @param message graphql's @returns null when it is about something else
 */
function describeBadVariable(message: string): ErrorDescription | null {
  const missing = missingVariable.exec(message)?.[1];
  if (missing !== undefined) return requiredField(missing);
  const [, variable, path = variable, fault] = badVariable.exec(message) ?? [];
  if (path === undefined || fault === undefined) return null;
  const inner = leftOut.exec(fault)?.[1] ?? unknown.exec(fault)?.[1];
  const field = fieldAt(inner === undefined ? path : `${path}.${inner}`);
  const isMissing = leftOut.test(fault) || nothing.test(fault) || /^(Int|Float) .*: ""$/.test(fault);
  if (isMissing) return requiredField(field);
  const text = withoutValue(fault);
  return { message: text, code: 'VALIDATION', fields: { [field]: text } };
}

/** The name of the field at a path; within a list of objects with its index, like 'alerts.3.radius'. */
function fieldAt(path: string): string {
  let whole = path;
  while (whole.endsWith(']')) whole = whole.slice(0, whole.lastIndexOf('['));
  if (whole.includes('[')) return whole.replaceAll(/\[(\d+)\]/g, '.$1');
  return whole.split('.').at(-1) ?? path;
}

function requiredField(field: string): ErrorDescription {
  const text = requiredTexts.get(field.split('.').at(-1) ?? field) ?? generic.required;
  return { message: text, code: 'VALIDATION', fields: { [field]: text } };
}

/** Removes the value, which the messages of scalars have at their end: graphql's after a colon, those of times without one. */
function withoutValue(fault: string): string {
  return fault
    .replace(/^(DateTime cannot represent (?:an invalid date-time-string|non string or Date type)) [\s\S]*$/, '$1.')
    .replace(/^(\w+ cannot represent [^:]*):[\s\S]*$/, '$1.');
}

/** Returns the error that was thrown, without graphql's wrappers; undefined for an error of graphql itself. */
export function thrownError(error: unknown): unknown {
  let inner = error;
  while (inner instanceof GraphQLError) {
    if (inner.originalError === undefined) return undefined;
    inner = inner.originalError;
  }
  return inner;
}

/** Describes an error of graphql itself: the operation could not be parsed, or does not fit the schema. */
function describeObjection(error: GraphQLError): ErrorDescription {
  if (error.extensions.code === 'GRAPHQL_PARSE_FAILED' || error.message.startsWith('Syntax Error')) {
    return { message: error.message, code: 'MALFORMED' };
  }
  if (statusOf(error) === 405) return { message: error.message, code: 'METHOD_NOT_ALLOWED' };
  return describeBadVariable(error.message) ?? { message: error.message, code: 'VALIDATION' };
}

function statusOf({ extensions }: GraphQLError): unknown {
  return typeof extensions.http === 'object' && extensions.http && 'status' in extensions.http
    ? extensions.http.status
    : undefined;
}

/** Formats an error for the client. Its extensions have the fields of the body of a REST error. */
export function formatError(error: unknown, log: Log): GraphQLFormattedError {
  const thrown = thrownError(error);
  const described =
    error instanceof GraphQLError && (thrown === undefined || isClientFault(error, thrown))
      ? describeObjection(error)
      : describeError(thrown ?? error, log);
  return {
    message: described.message,
    ...(error instanceof GraphQLError && error.locations && { locations: error.locations }),
    ...(error instanceof GraphQLError && error.path && { path: error.path }),
    extensions: { ...described },
  };
}

/** Returns why an operation failed: the first error of a resolver, or all errors of graphql itself as one. */
export function firstErrorOf(errors: readonly GraphQLError[]): unknown {
  const objections: ErrorDescription[] = [];
  for (const error of errors) {
    const thrown = thrownError(error);
    if (thrown !== undefined && !isClientFault(error, thrown)) return thrown;
    objections.push(describeObjection(error));
  }
  const fields = Object.assign({}, ...objections.map((objection) => objection.fields));
  return new AppError('VALIDATION', objections[0]?.message ?? generic.invalid, { fields });
}

/** Scalars refuse a value with a plain Error; graphql wraps it with the place in the query, before anything ran. */
function isClientFault(error: GraphQLError, thrown: unknown): boolean {
  return !(thrown instanceof AppError) && error.path === undefined && error.nodes !== undefined;
}

/** Returns the root field of an error, by its name in the schema; the first one for an error of a whole operation. */
export function rootFieldOf(error: GraphQLError, operation: OperationDefinitionNode | null | undefined): string {
  const [first] = operation?.selectionSet.selections ?? [];
  return String(error.path?.[0] ?? (first?.kind === Kind.FIELD ? first.name.value : 'graphql'));
}
