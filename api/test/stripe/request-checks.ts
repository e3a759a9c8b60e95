import { readFileSync } from 'node:fs';
import { readForm } from '@lotwatch/sandbox/form';
import { Ajv, type ValidateFunction } from 'ajv';

export interface StripeRequest {
  method: string;
  path: string;
  /** The body of a POST, else the query. */
  form: string;
  headers: Record<string, string>;
}

/** Says why Stripe would refuse a request; null when it would take it. */
export type RequestCheck = (request: StripeRequest) => Promise<string | null>;

/** Asks Stripe's own test server, which keeps nothing: only whether it takes the request counts. */
export const checkWithMock =
  (mockUrl: string): RequestCheck =>
  async ({ method, path, form, headers }) => {
    const isPost = method === 'POST';
    const response = await fetch(`${mockUrl}${path}${isPost || form === '' ? '' : `?${form}`}`, {
      method,
      headers: { ...headers, authorization: 'Bearer sk_test_123' },
      ...(isPost && { body: form }),
    });
    const text = await response.text();
    return response.ok ? null : `${response.status}: ${text.slice(0, 500)}`;
  };

interface Description {
  calls: Record<string, object>;
}

const fixture = new URL('../fixtures/stripe/requests-2023-08-16.json', import.meta.url);

/** Newer than the copy of the description: taken as they are. */
export const newerThanDescription = ['GET /v1/invoice_payments'];

/** A form's fields as plain objects, without a field `expand`, which every call takes. */
function fieldsOf(form: string): Record<string, unknown> {
  const { expand, ...fields } = JSON.parse(JSON.stringify(readForm(form))) as Record<string, unknown>;
  return expand === undefined || Array.isArray(expand) ? fields : { ...fields, expand };
}

/** Holds requests against a copy of the parts of Stripe's API description that LotWatch uses. */
export function checkWithDescription(): RequestCheck {
  const { calls } = JSON.parse(readFileSync(fixture, 'utf8')) as Description;
  // A form knows texts only.
  const ajv = new Ajv({ coerceTypes: true, strict: false, allErrors: true });
  const known = Object.entries(calls).map(([call, schema]) => {
    const [method = '', path = ''] = call.split(' ');
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    let check: ValidateFunction | undefined;
    const compiled = () => (check ??= ajv.compile(schema));
    return { method, pattern, compiled };
  });
  return async ({ method, path, form }) => {
    if (newerThanDescription.includes(`${method} ${path}`)) return null;
    // The exact path first: /configurations is no configuration's id.
    const call = known.find((one) => one.method === method && one.pattern.test(path));
    if (!call) return `no such call: ${method} ${path}`;
    const check = call.compiled();
    if (check(fieldsOf(form))) return null;
    return ajv.errorsText(check.errors, { dataVar: '' }).slice(0, 500) + JSON.stringify(check.errors?.[0]?.params);
  };
}
