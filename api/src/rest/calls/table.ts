import { type ErrorCode, httpStatusByCode } from '../../base/errors.ts';
import { accountCalls, contactCalls, rightsCalls, statusCalls, subscriptionCalls } from './account.ts';
import { alertCalls, listingCalls } from './alerts.ts';
import { type Call, pathVariables } from './call.ts';
import type { CompiledCall } from './compiled-call.ts';
import { debugCalls } from './debug.ts';

/** Lists every call of the REST API. @param seedPlans for the debug calls, which are left out without it */
export const callTable = (seedPlans: (() => Promise<void>) | null): readonly Call[] => [
  ...accountCalls,
  ...alertCalls,
  ...listingCalls,
  ...subscriptionCalls,
  ...contactCalls,
  ...statusCalls,
  ...rightsCalls,
  ...(seedPlans ? debugCalls(seedPlans) : []),
];

type FailingCall = Pick<CompiledCall, 'call' | 'body' | 'access' | 'keyAccess' | 'asksForPassword'>;

/** Returns all codes with which a call can fail, except server errors. */
export function errorCodesOf({ call, body, access, keyAccess, asksForPassword }: FailingCall): ErrorCode[] {
  const takesBody = body !== null;
  const codes = new Set<ErrorCode>(call.failures);
  // Every call refuses an unknown key, and a key whose owner is not on Elite.
  codes.add('UNAUTHENTICATED').add('PLAN_REQUIRED');
  // Writes from pages of other origins are refused, and some calls don't accept keys.
  if (access === 'admin' || call.method !== 'GET' || keyAccess === 'never') codes.add('FORBIDDEN');
  if (asksForPassword) codes.add('PASSWORD_NEEDED');
  if (pathVariables(call.path).length > 0) codes.add('NOT_FOUND');
  if (call.query || takesBody) codes.add('VALIDATION');
  if (takesBody) for (const code of ['MALFORMED', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) codes.add(code);
  codes.add('RATE_LIMITED');
  return [...codes].sort((a, b) => httpStatusByCode[a] - httpStatusByCode[b]);
}
