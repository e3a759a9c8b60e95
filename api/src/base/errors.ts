/** Codes that leave the API; `contract.md`'s table, the only place that maps them to an HTTP status. */
export const httpStatusByCode = {
  VALIDATION: 400,
  MALFORMED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  /** The current password is to be given before this is done; then the same call is taken. */
  PASSWORD_NEEDED: 403,
  /** The password is right, and a code of the second factor is to be given with it. */
  CODE_NEEDED: 403,
  PLAN_LIMIT: 403,
  PLAN_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  VENDOR: 502,
  NOT_CONFIGURED: 503,
  /** The database is away, silent, full, read-only or too busy. */
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof httpStatusByCode;

export interface AppErrorOptions {
  /** One message per field, named as in the API. */
  fields?: Record<string, string>;
  needsUpgrade?: boolean;
  /** Seconds until another try makes sense; becomes Retry-After. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The one error that is shown to callers: its message is safe to show. Anything else becomes INTERNAL. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly needsUpgrade: boolean | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields;
    this.needsUpgrade = options.needsUpgrade;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** @throws AppError VALIDATION when `fields` has an entry; its message is the first field's. */
export function refuseInvalid(fields: Record<string, string>): void {
  const first = Object.values(fields)[0];
  if (first !== undefined) throw new AppError('VALIDATION', first, { fields });
}
