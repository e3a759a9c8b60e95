/** Whole US dollars: `$15,400`. */
export function dollars(amount: number): string {
  return `$${amount.toLocaleString('en-US', { maximumFractionDigits: 0 })}`;
}

/** A listing's price; sellers may leave it out. */
export function priceText(price: number | null | undefined): string {
  return price === null || price === undefined ? 'Price not stated' : dollars(price);
}

/** `$0 – $18,000`; a missing minimum is `missingMin` and a missing maximum is 'Any'. */
export function priceRange(min: number | null | undefined, max: number | null | undefined, missingMin = '$0'): string {
  return `${min == null ? missingMin : dollars(min)} – ${max == null ? 'Any' : dollars(max)}`;
}

/** `$4.99` from a plan's decimal text. */
export function planPrice(price: string): string {
  const amount = Number(price);
  return Number.isInteger(amount) ? `$${amount}` : `$${amount.toFixed(2)}`;
}
