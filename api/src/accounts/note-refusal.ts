import { networkOf } from '../base/addresses/network.ts';
import { AppError } from '../base/errors.ts';
import type { SecurityLog } from '../base/security-events.ts';
import type { Caller } from './signed-in.ts';

/**
 * Notes in the log what somebody was refused for lack of a right or of patience; of other errors, nothing.
 * @param operation what was asked, without anything that they typed
 * @param bearsKey where a request came with something in the place of an API key
 */
export function noteRefusal(
  security: SecurityLog,
  error: unknown,
  { viewer, address }: Pick<Caller, 'viewer' | 'address'>,
  operation: string,
  { bearsKey = false } = {},
): void {
  if (!(error instanceof AppError)) return;
  const network = security.hash(networkOf(address));
  if (bearsKey && error.code === 'UNAUTHENTICATED') security.note('key.refused', { network, operation });
  const who = { userId: viewer?.id ?? null, keyId: viewer?.key?.id ?? null, network, operation };
  if (error.code === 'FORBIDDEN') security.note('permission.refused', who);
  else if (error.code === 'RATE_LIMITED') security.note('limit.hit', who);
}

/** Method and path without what may be an id, a token or anybody's own words. */
export function operationOf(method: string | undefined, address: string | undefined): string {
  const parts = (address ?? '').split('?')[0]?.split('/') ?? [];
  return `${method ?? ''} ${parts.map((part) => (/^[a-z.-]{0,30}$/.test(part) ? part : '…')).join('/')}`;
}
