/** By the plan's id: the key under which its price is found at Stripe. */
const lookupKeys: Readonly<Record<number, string>> = {
  2: 'lotwatch_starter_monthly',
  3: 'lotwatch_pro_monthly',
  4: 'lotwatch_elite_monthly',
};

export const lookupKeyOf = (planId: number): string => lookupKeys[planId] ?? '';

export const allLookupKeys: readonly string[] = Object.values(lookupKeys);

interface KnownPrice {
  lookup_key: string | null;
  metadata: Record<string, string>;
}

/** Which plan a price is for; null for one of somebody else's. A price that was replaced has lost its key. */
export function planOfPrice({ lookup_key, metadata }: KnownPrice): number | null {
  const named = Object.keys(lookupKeys).find((id) => lookupKeys[Number(id)] === lookup_key);
  const id = named ?? metadata.lotwatch_plan;
  return id !== undefined && id in lookupKeys ? Number(id) : null;
}
