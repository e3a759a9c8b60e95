/** `50 miles`, `1 mile`. */
export function miles(count: number): string {
  return count === 1 ? '1 mile' : `${count.toLocaleString('en-US')} miles`;
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
