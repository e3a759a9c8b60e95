import { badRequest } from './stripe-error.ts';

export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type FormFields = { [name: string]: FormValue };

const MAX_FIELDS = 1000;
const MAX_DEPTH = 8;
const fieldName = /^[^[\]]+(?:\[[^[\]]*\])*$/;

function put(into: FormFields, path: readonly string[], value: string, name: string): void {
  const [head = '', ...rest] = path;
  const key = head === '' ? String(Object.keys(into).length) : head;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  into[key] ??= Object.create(null) as FormFields;
  const next = into[key];
  if (typeof next !== 'object' || Array.isArray(next)) throw badRequest(`Invalid field: ${name}`, name);
  put(next, rest, value, name);
}

/** Turns objects whose names are numbers into lists. */
function withLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key]) => /^\d{1,3}$/.test(key))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, one]) => withLists(one));
  }
  return Object.assign(
    Object.create(null) as FormFields,
    Object.fromEntries(entries.map(([key, one]) => [key, withLists(one)])),
  );
}

/** Reads `a[b][0]=c` as Stripe's clients write it. @throws StripeError */
export function readForm(text: string): FormFields {
  const fields = Object.create(null) as FormFields;
  const pairs = [...new URLSearchParams(text)];
  if (pairs.length > MAX_FIELDS) throw badRequest('Too many parameters.');
  for (const [name, value] of pairs) {
    const path = name.replaceAll(']', '').split('[');
    if (!fieldName.test(name) || path.length > MAX_DEPTH || path.includes('__proto__'))
      throw badRequest(`Invalid field: ${name.slice(0, 200)}`);
    put(fields, path, value, name);
  }
  return withLists(fields) as FormFields;
}
