/**
 * The keys at the head of a list that have not been shown: the items that arrived live.
 * Unknown keys further down are older items that were loaded, so they are not new.
 */
export function newAtHead(keys: readonly string[], known: ReadonlySet<string>): string[] {
  const firstKnown = keys.findIndex((key) => known.has(key));
  return firstKnown === -1 ? [...keys] : keys.slice(0, firstKnown);
}
