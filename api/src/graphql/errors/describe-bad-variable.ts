import type { ErrorDescription } from '../../base/describe-error.ts';
import { alertSchema } from '../../domain/forms/alert.ts';
import { generic } from '../../domain/forms/fields.ts';
import { loginSchema } from '../../domain/forms/sign-in.ts';
import { judgeForm } from '../../domain/judge-form.ts';

/** The forms' messages for fields that are left out; of all others it is 'Required'. */
const requiredTexts = new Map(
  Object.entries({ ...judgeForm(alertSchema, {}).faults, ...judgeForm(loginSchema, {}).faults }),
);

/** graphql's words: which variable, the value itself, where in it, and what is wrong. */
const badVariable =
  /^Variable "\$(\w+)" got invalid value [\s\S]*?(?: at "([\w.[\]]+)")?; ((?:Expected |Field "|Enum "|Value |\w+ cannot represent )[\s\S]*)$/;
const leftOut = /^Field "(\w+)" of required type .* was not provided\.$/;
const unknown = /^Field "(\w+)" is not defined by type/;
const missingVariable =
  /^Variable "\$(\w+)" of (?:required type ".*" was not provided|non-null type ".*" must not be null)\.$/;
const nothing = /^Expected non-nullable type .* not to be null\.$/;

/**
 * An objection to a variable's value, by the field it is about. The value itself is left out: graphql would repeat
 * whole inputs, passwords included. @param message graphql's; null when it is about something else
 */
export function describeBadVariable(message: string): ErrorDescription | null {
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

/** By its own name; one of many objects by its place too, like 'alerts.3.radius'. */
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

/** Scalars name the value they refuse, after a colon. */
function withoutValue(fault: string): string {
  return fault.replace(/^(\w+ cannot represent [^:]*):[\s\S]*$/, '$1.');
}
