import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isTemporary, readFault } from './errors.ts';
import { fetchWithTimeout, UnreadableAnswer } from './fetch-texts.ts';

interface AnswerOptions {
  status: number;
  statusText?: string;
  type?: string | null;
}

/** The error that Apollo's HTTP link throws for an answer. */
function answered(bodyText: string, { status, statusText = '', type = 'application/json' }: AnswerOptions): Error {
  const response = new Response(null, { status, statusText, headers: type ? { 'content-type': type } : {} });
  return status >= 300 ? new ServerError('x', { response, bodyText }) : parseFailure(bodyText, response);
}

function parseFailure(bodyText: string, response: Response): Error {
  try {
    JSON.parse(bodyText);
  } catch (cause) {
    return new ServerParseError(cause, { response, bodyText });
  }
  return new ServerError('malformed', { response, bodyText });
}

const html = '<!DOCTYPE html><html><body>hello';
const graphql = '{"errors":[{"message":"Too deep.","extensions":{"code":"VALIDATION"}}]}';
const HTML_TEXT = 'Server returned HTML instead of JSON. API endpoint may be misconfigured.';

describe('readFault', () => {
  const rows: [name: string, body: string, answerOptions: AnswerOptions, message: string][] = [
    ['an error page', html, { status: 502, statusText: 'Bad Gateway', type: 'text/html' }, '502: Bad Gateway'],
    ['an error page over HTTP/2', html, { status: 502, type: 'text/html' }, '502: Bad Gateway'],
    ['HTML', html, { status: 200, type: 'text/html; charset=utf-8' }, HTML_TEXT],
    ['HTML that calls itself JSON', html, { status: 200 }, HTML_TEXT],
    ['words with a status', 'upstream', { status: 503, statusText: 'Busy', type: 'text/plain' }, '503: Busy'],
    ['nothing with a status', '', { status: 504, type: null }, '504: Gateway Timeout'],
    ['an unknown status', '', { status: 599, type: null }, '599: Unknown status'],
    ['broken JSON with a status', '{"mess', { status: 500 }, '500: Failed to parse response'],
    ['JSON with a message', '{"message":"Slow down.","code":"RATE_LIMITED"}', { status: 429 }, 'Slow down.'],
    ['JSON without a message', '{}', { status: 500, statusText: 'Oh' }, '500: Oh'],
    ['JSON that is no answer', '{"a":1}', { status: 200 }, '200: Failed to parse response'],
    ['JSON that is no object', '7', { status: 200 }, '200: Failed to parse response'],
    ['GraphQL errors with a status', graphql, { status: 400, statusText: 'Bad Request' }, 'Too deep.'],
    ['GraphQL errors of a broken server', graphql, { status: 500 }, 'Too deep.'],
    [
      'no JSON',
      'hello',
      { status: 200, type: 'text/plain' },
      'Response is not valid JSON and has content-type: text/plain',
    ],
    ['nothing of no type', '', { status: 200, type: null }, 'Response is not valid JSON and has content-type: none'],
  ];
  it.each(rows)('%s', (_name, body, answerOptions, message) => {
    expect(readFault(answered(body, answerOptions)).message).toBe(message);
  });

  it('describes what is wrong with incomplete JSON', () => {
    expect(readFault(answered('{"data":', { status: 200 })).message).toMatch(/^Failed to parse JSON response: \S/);
    expect(readFault(answered('', { status: 200 })).message).toMatch(/^Failed to parse JSON response: \S/);
  });

  it('reports that an answer could not be read', () => {
    const fault = readFault(new UnreadableAnswer(new TypeError('network error')));
    expect(fault.message).toBe('Failed to read response: network error');
  });

  it.each([
    ['no answer', new TypeError('Failed to fetch')],
    ['a socket that closed', new Error('Socket closed with event 1006')],
    ['a socket that could not open', new Event('error')],
  ])('says it plainly: %s', (_name, error) => {
    expect(readFault(error).message).toBe("We can't reach LotWatch. Check your connection and try again.");
  });

  it('reads code, fields and needsUpgrade from the extensions', () => {
    const fields = { location: 'Location is required', odd: 1 };
    const extensions = { code: 'VALIDATION', fields, needsUpgrade: true };
    const error = new CombinedGraphQLErrors({ errors: [{ message: 'Location is required', extensions }] });
    expect(readFault(error)).toEqual({
      message: 'Location is required',
      code: 'VALIDATION',
      fields: { location: 'Location is required' },
      needsUpgrade: true,
      status: undefined,
      serverMessage: 'Location is required',
      text: undefined,
    });
    expect(readFault(answered('{"message":"No.","code":"FORBIDDEN"}', { status: 403 }))).toMatchObject({
      code: 'FORBIDDEN',
      status: 403,
      serverMessage: 'No.',
    });
  });

  it('has a message for unknown errors', () => {
    expect(readFault(undefined).message).toBe('An error occurred');
    expect(readFault(new Error('Alert ID is required for updates')).message).toBe('Alert ID is required for updates');
  });
});

it.each([
  [new TypeError('Failed to fetch'), true],
  [answered(html, { status: 502, type: 'text/html' }), true],
  [answered('{"message":"x","code":"INTERNAL"}', { status: 500 }), true],
  [answered('{"message":"LotWatch is starting","code":"STARTING"}', { status: 503 }), true],
  [answered('{"message":"x","code":"NOT_FOUND"}', { status: 404 }), false],
  [new CombinedGraphQLErrors({ errors: [{ message: 'x', extensions: { code: 'UNAVAILABLE' } }] }), true],
  [new CombinedGraphQLErrors({ errors: [{ message: 'x', extensions: { code: 'UNAUTHENTICATED' } }] }), false],
])('a later try may help: %s is %s', (error, is) => {
  expect(isTemporary(error)).toBe(is);
});

describe('fetchWithTimeout', () => {
  afterEach(() => vi.unstubAllGlobals());

  function brokenBody(): Response {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"data":'));
        controller.error(new TypeError('network error'));
      },
    });
    return new Response(body, { status: 200, headers: { 'content-type': 'application/json' } });
  }

  it('distinguishes an incomplete answer from a missing one', async () => {
    vi.stubGlobal('fetch', async () => brokenBody());
    const broken = await (await fetchWithTimeout('/graphql')).text().catch((error: unknown) => error);
    expect(readFault(broken).message).toBe('Failed to read response: network error');
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(fetchWithTimeout('/graphql')).rejects.toBeInstanceOf(TypeError);
    vi.stubGlobal('fetch', async () => new Response('{}'));
    expect(await (await fetchWithTimeout('/graphql')).text()).toBe('{}');
  });
});
