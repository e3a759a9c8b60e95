interface PricePoint {
  price?: number | null;
  seenAt: string;
}

export interface PriceBefore {
  price: number;
  seenAt: string;
  isLower: boolean;
}

/** What was asked before today's price, if it was another; a seller who said nothing for a while is passed over. */
export function priceBefore(history: readonly PricePoint[], price: number | null | undefined): PriceBefore | null {
  if (price == null) return null;
  const before = history.findLast((point) => point.price != null && point.price !== price);
  return before?.price == null ? null : { price: before.price, seenAt: before.seenAt, isLower: price < before.price };
}
