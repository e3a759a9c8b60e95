type ErrorType = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';

/** An error as Stripe answers it. */
export class StripeError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly code: string | undefined;
  readonly param: string | undefined;

  constructor(status: number, message: string, more: { type?: ErrorType; code?: string; param?: string } = {}) {
    super(message);
    this.name = 'StripeError';
    this.status = status;
    this.type = more.type ?? 'invalid_request_error';
    this.code = more.code;
    this.param = more.param;
  }

  get body(): object {
    const { type, message, code, param } = this;
    return { error: { ...(code && { code }), message, ...(param && { param }), type } };
  }
}

export const missingResource = (what: string, id: string, param: string): StripeError =>
  new StripeError(param === 'id' ? 404 : 400, `No such ${what}: '${id}'`, { code: 'resource_missing', param });

export const badRequest = (message: string, param?: string, code?: string): StripeError =>
  new StripeError(400, message, { param, code });
