import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import { type Answer, isHtml, statusTextOf, textOfNoJson, textOfUnreadable, UnreadableAnswer } from './fetch-texts.ts';

/** A failure in one shape for every way in which a call can fail. `message` is safe to show. */
export interface Fault {
  message: string;
  code: string | undefined;
  fields: Record<string, string>;
  needsUpgrade: boolean;
  /** HTTP status; undefined when nothing answered, or where GraphQL answered over a socket or with 200. */
  status: number | undefined;
  /** The server's own words; empty when it answered in JSON without any, undefined when it did not answer so. */
  said: string | undefined;
  /** The answer as it came, where it was neither JSON nor HTML. */
  text: string | undefined;
}

const unreachable = "We can't reach LotWatch. Check your connection and try again.";
const unknown = 'An error occurred';
const mostShown = 300;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readFields(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What the server itself says of the fault, in GraphQL's shape or REST's. */
function saidFault(said: string, extensions: unknown, status?: number, silent = unknown): Fault {
  const found = isRecord(extensions) ? extensions : {};
  return {
    message: said || silent,
    code: typeof found.code === 'string' ? found.code : undefined,
    fields: readFields(found.fields),
    needsUpgrade: found.needsUpgrade === true,
    status,
    said,
    text: undefined,
  };
}

function wordlessFault(message: string, status?: number, text?: string): Fault {
  return { message, code: undefined, fields: {}, needsUpgrade: false, status, said: undefined, text };
}

/** An answer that is no GraphQL answer: a REST error body, an error page, or nothing. */
function readAnswer(answer: Answer): Fault {
  const { status, body } = answer;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    const text = isHtml(answer) ? undefined : body.trim().slice(0, mostShown);
    return wordlessFault(textOfNoJson(answer, cause), status, text);
  }
  const silent = status >= 300 ? statusTextOf(answer) : `${status}: Failed to parse response`;
  if (!isRecord(parsed)) return saidFault('', undefined, status, silent);
  const first: unknown = Array.isArray(parsed.errors) ? parsed.errors[0] : undefined;
  if (isRecord(first)) return saidFault(wordsOf(first.message), first.extensions, status, silent);
  return saidFault(wordsOf(parsed.message), parsed, status, silent);
}

/** A socket that closed or could not open; graphql-ws passes on the browser's event or an error that names it. */
function isSocketFault(error: unknown): boolean {
  if (error instanceof Error) return error.message.startsWith('Socket closed');
  return typeof Event !== 'undefined' && error instanceof Event;
}

/** Turns whatever Apollo or the network threw into a `Fault`. */
export function readFault(error: unknown): Fault {
  if (CombinedGraphQLErrors.is(error)) {
    const first = error.errors[0];
    return saidFault(first?.message ?? '', first?.extensions);
  }
  if (ServerError.is(error) || ServerParseError.is(error)) {
    const { status, statusText, headers } = error.response;
    return readAnswer({ status, statusText, contentType: headers.get('content-type'), body: error.bodyText });
  }
  if (error instanceof UnreadableAnswer) return wordlessFault(textOfUnreadable(error));
  if (error instanceof TypeError || isSocketFault(error)) return wordlessFault(unreachable);
  return wordlessFault(error instanceof Error && error.message ? error.message : unknown);
}

/** Whether a call needs the password. A fault with this code means that the user closed the dialog without giving it. */
export const isPasswordNeeded = (code: unknown): boolean => code === 'PASSWORD_NEEDED';

/** A form's message for a fault; undefined where fields show it or the user closed the password dialog. */
export const wholeRefusal = ({
  code,
  fields,
  message,
}: Pick<Fault, 'code' | 'fields' | 'message'>): string | undefined =>
  Object.keys(fields).length === 0 && !isPasswordNeeded(code) ? message : undefined;

/** Codes of a server that is out of order, and soon may not be. */
export const isBroken = (code: unknown): boolean => code === 'INTERNAL' || code === 'UNAVAILABLE';

/** Whether a later try may help: nothing answered, or what answered was out of order; a refusal stays one. */
export function isPassing(error: unknown): boolean {
  const { code, status, said } = readFault(error);
  if (status !== undefined && status >= 500) return true;
  if (code !== undefined) return isBroken(code) || code === 'RATE_LIMITED' || code === 'VENDOR';
  return said === undefined;
}
