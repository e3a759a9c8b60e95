import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';

/** What went wrong, in one shape for every way a call can fail. `message` is safe to show. */
export interface Fault {
  message: string;
  code: string | undefined;
  fields: Record<string, string>;
  needsUpgrade: boolean;
}

const htmlAnswer = 'Server returned HTML instead of JSON. API endpoint may be misconfigured.';
const unreachable = "We can't reach LotWatch. Check your connection and try again.";

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readFields(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function faultOf(message: string, extensions: unknown): Fault {
  const found = isRecord(extensions) ? extensions : {};
  return {
    message,
    code: typeof found.code === 'string' ? found.code : undefined,
    fields: readFields(found.fields),
    needsUpgrade: found.needsUpgrade === true,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An answer that is no GraphQL answer: a REST error body, an error page, or nothing. */
function readAnswer(status: number, statusText: string, body: string): Fault {
  if (/^\s*<(!doctype|html)/i.test(body)) return faultOf(htmlAnswer, undefined);
  const parsed = parseJson(body);
  if (isRecord(parsed)) {
    const first: unknown = Array.isArray(parsed.errors) ? parsed.errors[0] : undefined;
    if (isRecord(first) && typeof first.message === 'string') return faultOf(first.message, first.extensions);
    if (typeof parsed.message === 'string') return faultOf(parsed.message, parsed);
  }
  if (status < 400) return faultOf(`${status}: Failed to parse response`, undefined);
  return faultOf(`${status}: ${statusText}`, undefined);
}

/** Turns whatever Apollo or the network threw into a `Fault`. */
export function readFault(error: unknown): Fault {
  if (CombinedGraphQLErrors.is(error)) {
    const first = error.errors[0];
    return faultOf(first?.message ?? error.message, first?.extensions);
  }
  if (ServerError.is(error) || ServerParseError.is(error)) {
    return readAnswer(error.statusCode, error.response.statusText, error.bodyText);
  }
  if (error instanceof TypeError) return faultOf(unreachable, undefined);
  return faultOf(error instanceof Error && error.message ? error.message : 'An error occurred', undefined);
}

/** Titles and texts of a failed alert write, as the form shows them in a toast. */
export function alertFailure(verb: 'create' | 'update' | 'delete', message: string): { title: string; text: string } {
  if (verb === 'create' && message.includes('maximum number of alerts')) {
    return { title: 'Subscription Limit Reached', text: message };
  }
  return { title: 'Error', text: `Failed to ${verb} alert: ${message}` };
}
