import { type ErrorCode, httpStatusByCode } from '../../base/errors.ts';
import { accountCalls } from './account.ts';
import { alertCalls } from './alerts.ts';
import { type Call, pathVariables } from './call.ts';
import { contactCalls } from './contact.ts';
import { debugCalls } from './debug.ts';
import { listingCalls } from './listings.ts';
import { rightsCalls } from './rights.ts';
import { subscriptionCalls } from './subscription.ts';

/** Every call of the REST API. @param seedPlans for the debug calls; without it there are none: in production */
export const callTable = (seedPlans: (() => Promise<void>) | null): readonly Call[] => [
  ...accountCalls,
  ...alertCalls,
  ...listingCalls,
  ...subscriptionCalls,
  ...contactCalls,
  ...rightsCalls,
  ...(seedPlans ? debugCalls(seedPlans) : []),
];

/** All codes that a call may fail with, but faults of the server; `takesBody` where it reads one. */
export function failuresOf(call: Call, takesBody: boolean): ErrorCode[] {
  const codes = new Set<ErrorCode>(call.failures);
  if (call.access !== 'anyone') codes.add('UNAUTHENTICATED');
  // A page of another origin may write nothing in a user's name.
  if (call.access === 'admin' || call.method !== 'GET') codes.add('FORBIDDEN');
  if (pathVariables(call.path).length > 0) codes.add('NOT_FOUND');
  if (call.query || takesBody) codes.add('VALIDATION');
  if (takesBody) for (const code of ['MALFORMED', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) codes.add(code);
  codes.add('RATE_LIMITED');
  return [...codes].sort((a, b) => httpStatusByCode[a] - httpStatusByCode[b]);
}
