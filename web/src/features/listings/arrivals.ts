/**
 * The keys at the head of a list that have not been shown: what came in live.
 * Unknown keys further down are older ones that were loaded, and no news.
 */
export function newAtHead(keys: readonly string[], known: ReadonlySet<string>): string[] {
  const firstKnown = keys.findIndex((key) => known.has(key));
  return firstKnown === -1 ? [...keys] : keys.slice(0, firstKnown);
}
