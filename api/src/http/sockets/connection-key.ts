import { AppError } from '../../base/errors.ts';

const FORBIDDEN = 4403;
const UNAUTHORIZED = 4401;
const TRY_AGAIN_LATER = 1013;

/**
 * The `Authorization` of graphql-ws's connection parameters, in any case; undefined where there is none.
 * @throws AppError UNAUTHENTICATED for what is no text, or there twice
 */
export function authorizationIn(parameters: unknown): string | undefined {
  if (typeof parameters !== 'object' || parameters === null) return undefined;
  const [given, ...more] = Object.entries(parameters).filter(([name]) => name.toLowerCase() === 'authorization');
  if (!given) return undefined;
  const [, value] = given;
  if (more.length > 0 || typeof value !== 'string') {
    throw new AppError('UNAUTHENTICATED', 'Send one Authorization, as a text.');
  }
  return value;
}

/** How a socket ends whose key is not taken; its clients try again only where that may help. */
export function closeFor(error: unknown): { code: number; reason: string } {
  if (!(error instanceof AppError) || error.code === 'RATE_LIMITED') {
    return { code: TRY_AGAIN_LATER, reason: 'Try again later' };
  }
  // A reason has room for 123 bytes.
  const reason = `${error.code}: ${error.message}`.slice(0, 123);
  return { code: error.code === 'UNAUTHENTICATED' ? UNAUTHORIZED : FORBIDDEN, reason };
}
