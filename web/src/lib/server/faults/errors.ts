import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import { type Answer, isHtml, nonJsonText, statusTextOf, UnreadableAnswer, unreadableText } from './fetch-texts.ts';

/** A failure in one shape for every way in which a call can fail. `message` is safe to show. */
export interface Fault {
  message: string;
  code: string | undefined;
  fields: Record<string, string>;
  needsUpgrade: boolean;
  /** The HTTP status; undefined without an answer, and for GraphQL errors over a socket or with 200. */
  status: number | undefined;
  /** The server's message; empty if its JSON has none, undefined if it did not answer in JSON. */
  serverMessage: string | undefined;
  /** The text of an answer that was neither JSON nor HTML. */
  text: string | undefined;
}

const unreachable = "We can't reach LotWatch. Check your connection and try again.";
const offline = 'You are offline. Try again when you are connected.';
const unknown = 'An error occurred';
const maxLength = 300;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readFields(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A fault that the server describes, in the shape of GraphQL or REST. */
function serverFault(serverMessage: string, extensions: unknown, status?: number, silent = unknown): Fault {
  const found = isRecord(extensions) ? extensions : {};
  return {
    message: serverMessage || silent,
    code: typeof found.code === 'string' ? found.code : undefined,
    fields: readFields(found.fields),
    needsUpgrade: found.needsUpgrade === true,
    status,
    serverMessage,
    text: undefined,
  };
}

function faultWithoutMessage(message: string, status?: number, text?: string): Fault {
  return { message, code: undefined, fields: {}, needsUpgrade: false, status, serverMessage: undefined, text };
}

/** An answer that is no GraphQL answer: a REST error body, an error page, or nothing. */
function readAnswer(answer: Answer): Fault {
  const { status, body } = answer;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch (cause) {
    const text = isHtml(answer) ? undefined : body.trim().slice(0, maxLength);
    return faultWithoutMessage(nonJsonText(answer, cause), status, text);
  }
  const silent = status >= 300 ? statusTextOf(answer) : `${status}: Failed to parse response`;
  if (!isRecord(parsed)) return serverFault('', undefined, status, silent);
  const first: unknown = Array.isArray(parsed.errors) ? parsed.errors[0] : undefined;
  if (isRecord(first)) return serverFault(textOf(first.message), first.extensions, status, silent);
  return serverFault(textOf(parsed.message), parsed, status, silent);
}

/** A socket that closed or could not open; graphql-ws passes on the browser's event or an error that names it. */
function isSocketFault(error: unknown): boolean {
  if (error instanceof Error) return error.message.startsWith('Socket closed');
  return typeof Event !== 'undefined' && error instanceof Event;
}

/** Converts any error of Apollo or the network into a `Fault`. */
export function readFault(error: unknown): Fault {
  if (CombinedGraphQLErrors.is(error)) {
    const first = error.errors[0];
    return serverFault(first?.message ?? '', first?.extensions);
  }
  if (ServerError.is(error) || ServerParseError.is(error)) {
    const { status, statusText, headers } = error.response;
    return readAnswer({ status, statusText, contentType: headers.get('content-type'), body: error.bodyText });
  }
  if (error instanceof UnreadableAnswer) return faultWithoutMessage(unreadableText(error));
  if (error instanceof TypeError || isSocketFault(error)) {
    // A browser knows that it is offline, but not that it is online.
    return faultWithoutMessage(globalThis.navigator?.onLine === false ? offline : unreachable);
  }
  return faultWithoutMessage(error instanceof Error && error.message ? error.message : unknown);
}

/** Whether a call needs the password. A fault with this code means that the user closed the dialog without giving it. */
export const isPasswordNeeded = (code: unknown): boolean => code === 'PASSWORD_NEEDED';

/** A form's message for a fault; undefined where fields show it or the user closed the password dialog. */
export const formError = ({ code, fields, message }: Pick<Fault, 'code' | 'fields' | 'message'>): string | undefined =>
  Object.keys(fields).length === 0 && !isPasswordNeeded(code) ? message : undefined;

/** Codes of a server that answers a later try: it has a fault of its own, or was asked too often. */
export const isTemporaryCode = (code: unknown): boolean =>
  code === 'INTERNAL' || code === 'UNAVAILABLE' || code === 'VENDOR' || code === 'RATE_LIMITED';

/** Whether a later try may help: there was no answer, or the server had a temporary fault. A refusal is permanent. */
export function isTemporary(error: unknown): boolean {
  const { code, status, serverMessage } = readFault(error);
  if (status !== undefined && status >= 500) return true;
  if (code !== undefined) return isTemporaryCode(code);
  return serverMessage === undefined;
}
