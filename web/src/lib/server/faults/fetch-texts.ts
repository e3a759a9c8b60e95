/** The server's answer to a call, of any content type. */
export interface Answer {
  status: number;
  statusText: string;
  contentType: string | null;
  body: string;
}

/** An answer that ended while it was read, so that its body is incomplete. */
export class UnreadableAnswer extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'UnreadableAnswer';
  }
}

/** HTTP/2 has no status texts, so the usual ones are kept here. */
const usualStatusTexts: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export function statusTextOf({ status, statusText }: Pick<Answer, 'status' | 'statusText'>): string {
  return `${status}: ${statusText || usualStatusTexts[status] || 'Unknown status'}`;
}

export function isHtml({ contentType, body }: Answer): boolean {
  return /^\s*<(!doctype|html|head|body)\b/i.test(body) || (contentType?.includes('text/html') ?? false);
}

const isJsonType = (contentType: string | null): boolean => /\bjson\b/i.test(contentType ?? '');

/**
 * Describes an answer that is not JSON: a failed one by its status, any other by what is wrong with it.
 * @param cause the parser's error
 */
export function nonJsonText(answer: Answer, cause: unknown): string {
  const { status, contentType } = answer;
  if (status >= 300) {
    if (isJsonType(contentType) && !isHtml(answer)) return `${status}: Failed to parse response`;
    return statusTextOf(answer);
  }
  if (isHtml(answer)) return 'Server returned HTML instead of JSON. API endpoint may be misconfigured.';
  if (isJsonType(contentType)) {
    return `Failed to parse JSON response: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
  return `Response is not valid JSON and has content-type: ${contentType ?? 'none'}`;
}

export function unreadableText(error: UnreadableAnswer): string {
  return `Failed to read response: ${error.message}`;
}

/** A call without an answer is aborted after this time, so that its page does not wait forever. */
const TIMEOUT_MS = 30_000;

/** Like `fetch`, but an answer that ends early rejects with `UnreadableAnswer`. */
export async function fetchWithTimeout(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new TypeError('No answer')), TIMEOUT_MS);
  const signal = init?.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal;
  try {
    const response = await fetch(input, { ...init, signal });
    const read = response.text.bind(response);
    response.text = async () => {
      try {
        return await read();
      } catch (cause) {
        if (init?.signal?.aborted) throw cause;
        throw new UnreadableAnswer(cause);
      } finally {
        clearTimeout(timer);
      }
    };
    return response;
  } catch (cause) {
    clearTimeout(timer);
    throw cause;
  }
}
