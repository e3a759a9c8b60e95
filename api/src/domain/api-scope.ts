/** What an API key may do. */
export enum ApiScope {
  read = 'read',
  write = 'write',
}

/** The rights of the key that a caller holds. */
export interface KeyRights {
  /** Number of the key. */
  id: number;
  scopes: readonly ApiScope[];
}

/** Whoever may change things may read them: each once, reading first. */
export function wholeScopes(scopes: readonly ApiScope[]): ApiScope[] {
  if (scopes.includes(ApiScope.write)) return [ApiScope.read, ApiScope.write];
  return scopes.includes(ApiScope.read) ? [ApiScope.read] : [];
}
