import type { EntityManager } from '@mikro-orm/postgresql';
import { ApiScope } from '../domain/api-scope.ts';
import type { ApiKey } from '../entities/api-key.ts';
import { tellOwnerWith } from '../entities/shared/tell-owner.ts';

export interface KeyParts {
  /** Whether an unconfirmed address gets nothing. */
  confirmEmail: boolean;
}

interface KeyNews {
  what: 'made' | 'replaced' | 'ended';
  /** Until when a replaced key works on, ISO 8601. */
  worksUntil?: string | null;
}

/** Tells a key's owner by mail what became of it. */
export function tellOfKey(
  tx: EntityManager,
  confirmEmail: boolean,
  { userId, name, prefix, scopes }: Pick<ApiKey, 'userId' | 'name' | 'prefix' | 'scopes'>,
  { what, worksUntil = null }: KeyNews,
): Promise<void> {
  const mayWrite = scopes.includes(ApiScope.write);
  const data = { at: new Date().toISOString(), what, name, prefix, mayWrite, worksUntil };
  return tellOwnerWith(tx, { userId, kind: 'key_changed', data, confirmEmail });
}
