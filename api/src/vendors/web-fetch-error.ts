/** Why a page could not be read. */
type WebFetchCode =
  | 'BAD_URL'
  | 'PRIVATE_ADDRESS'
  | 'UNREACHABLE'
  | 'SLOW'
  | 'RESET'
  | 'HTTP_STATUS'
  | 'TOO_LARGE'
  | 'REDIRECT_LOOP'
  | 'CUT'
  | 'NO_SECRET';

/** A page that could not be read whole. The message is safe to show: no address's query, no header. */
export class WebFetchError extends Error {
  readonly code: WebFetchCode;
  /** The HTTP status, where there was an answer. */
  readonly status: number | null;
  /** What the server's Retry-After asks for, in seconds. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: WebFetchCode,
    message: string,
    options: { status?: number; retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'WebFetchError';
    this.code = code;
    this.status = options.status ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
