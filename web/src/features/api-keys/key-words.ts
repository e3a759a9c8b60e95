import { dayText, timeAgo } from '../../lib/text/time.ts';
import type { ApiKey } from './api-key-documents.ts';

export const isLive = ({ state }: Pick<ApiKey, 'state'>): boolean => state === 'active' || state === 'replaced';

export const scopesText = ({ scopes }: Pick<ApiKey, 'scopes'>): string =>
  scopes.includes('write') ? 'Read and write' : 'Read only';

export const lastUsedText = ({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>, now: Date): string =>
  lastUsedAt ? `Used ${timeAgo(lastUsedAt, now)}` : 'Never used';

/** The time until then: `3 h`, `40 min`. */
function leftText(until: string, now: Date): string {
  const minutes = Math.max(1, Math.ceil((new Date(until).getTime() - now.getTime()) / 60_000));
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** The text of the badge. */
export function stateText({ state, expiresAt }: Pick<ApiKey, 'state' | 'expiresAt'>, now: Date): string {
  if (state === 'active') return 'Active';
  if (state === 'replaced') return expiresAt ? `Ends in ${leftText(expiresAt, now)}` : 'Replaced';
  return state === 'revoked' ? 'Revoked' : 'Ended';
}

export function endText({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: Date): string {
  const at = revokedAt ?? expiresAt;
  return at ? dayText(at, now) : '';
}
