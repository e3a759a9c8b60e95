import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { describe, expect, it } from 'vitest';
import { alertFailure, readFault } from './errors.ts';

function refused(status: number, statusText: string, bodyText: string): ServerError {
  return new ServerError('refused', { response: new Response(null, { status, statusText }), bodyText });
}

describe('readFault', () => {
  it('takes code, fields and needsUpgrade from the extensions', () => {
    const error = new CombinedGraphQLErrors({
      errors: [
        {
          message: 'Location is required',
          extensions: { code: 'VALIDATION', fields: { location: 'Location is required', odd: 1 }, needsUpgrade: true },
        },
      ],
    });
    expect(readFault(error)).toEqual({
      message: 'Location is required',
      code: 'VALIDATION',
      fields: { location: 'Location is required' },
      needsUpgrade: true,
    });
  });

  it.each([
    [refused(429, 'Too Many Requests', '{"message":"Slow down.","code":"RATE_LIMITED"}'), 'Slow down.', 'RATE_LIMITED'],
    [
      refused(400, 'Bad Request', '{"errors":[{"message":"Too deep.","extensions":{"code":"VALIDATION"}}]}'),
      'Too deep.',
      'VALIDATION',
    ],
    [refused(502, 'Bad Gateway', 'upstream'), '502: Bad Gateway', undefined],
    [
      refused(200, 'OK', '<!doctype html><p>hello'),
      'Server returned HTML instead of JSON. API endpoint may be misconfigured.',
      undefined,
    ],
  ])('reads an answer that is no GraphQL answer', (error, message, code) => {
    expect(readFault(error)).toMatchObject({ message, code });
  });

  it('says it plainly when nothing answered', () => {
    expect(readFault(new TypeError('Failed to fetch')).message).toMatch(/Check your connection/);
    expect(readFault(undefined).message).toBe('An error occurred');
  });
});

describe('alertFailure', () => {
  it('names the plan limit, and else the failed act', () => {
    const limit = "You've reached the maximum number of alerts for your subscription plan.";
    expect(alertFailure('create', limit)).toEqual({ title: 'Subscription Limit Reached', text: limit });
    expect(alertFailure('create', 'Boom')).toEqual({ title: 'Error', text: 'Failed to create alert: Boom' });
    expect(alertFailure('update', limit)).toEqual({ title: 'Error', text: `Failed to update alert: ${limit}` });
    expect(alertFailure('delete', 'Boom').text).toBe('Failed to delete alert: Boom');
  });
});
