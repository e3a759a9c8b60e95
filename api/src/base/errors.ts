/** The error codes of the API and their HTTP statuses, as in the contract. */
export const httpStatusByCode = {
  VALIDATION: 400,
  MALFORMED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  /** The operation needs the current password first. */
  PASSWORD_NEEDED: 403,
  /** The password is right, and the login also needs a code of the second factor. */
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
  /** The database is unavailable, unresponsive, full, read-only or too busy. */
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof httpStatusByCode;

export interface AppErrorOptions {
  /** A message for each invalid field, named as in the API. */
  fields?: Record<string, string>;
  needsUpgrade?: boolean;
  /** Sent as Retry-After. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The only error whose message is shown to callers. Any other becomes INTERNAL. */
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
