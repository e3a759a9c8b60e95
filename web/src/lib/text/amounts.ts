import { grouped } from '@lotwatch/api/plain-words';

/** Whole US dollars: `$15,400`. */
export function dollars(amount: number): string {
  return `$${grouped(Math.round(amount))}`;
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

/** `50 miles`, `1 mile`. */
export function miles(count: number): string {
  return count === 1 ? '1 mile' : `${grouped(count)} miles`;
}

/** `9 mi away`, from miles with one decimal; below 10 the decimal is kept. */
export function milesAway(distance: number): string {
  const shown = distance < 10 ? Math.round(distance * 10) / 10 : Math.round(distance);
  return `${shown} mi away`;
}

/** `62K mi` from 1,000 up, else the number as it is. */
export function mileageText(mileage: number): string {
  return mileage >= 1000 ? `${Math.round(mileage / 1000)}K mi` : `${mileage} mi`;
}
