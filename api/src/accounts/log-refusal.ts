import { networkOf } from '../base/addresses/network.ts';
import { AppError } from '../base/errors.ts';
import type { SecurityLog } from '../base/security-events.ts';
import type { Caller } from './signed-in.ts';

/**
 * Logs a missing permission, a hit rate limit or a refused API key as a security event, and no other error.
 * @param operation the operation's name, without any input
 * @param hasKey whether the request came with an API key, valid or not
 */
export function logRefusal(
  security: SecurityLog,
  error: unknown,
  { viewer, address }: Pick<Caller, 'viewer' | 'address'>,
  operation: string,
  { hasKey = false } = {},
): void {
  if (!(error instanceof AppError)) return;
  const network = security.hash(networkOf(address));
  if (hasKey && error.code === 'UNAUTHENTICATED') security.record('key.refused', { network, operation });
  const who = { userId: viewer?.id ?? null, keyId: viewer?.key?.id ?? null, network, operation };
  if (error.code === 'FORBIDDEN') security.record('permission.refused', who);
  else if (error.code === 'RATE_LIMITED') security.record('limit.hit', who);
}

/** Method and path, without segments that may be an id, a token or input. */
export function operationOf(method: string | undefined, address: string | undefined): string {
  const parts = (address ?? '').split('?')[0]?.split('/') ?? [];
  return `${method ?? ''} ${parts.map((part) => (/^[a-z.-]{0,30}$/.test(part) ? part : '…')).join('/')}`;
}
