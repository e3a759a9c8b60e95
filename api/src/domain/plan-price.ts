/** A plan's price as it goes out: two decimals, "0" for Free. @param stored US dollars a month, as the database has it */
export function planPriceText(stored: string): string {
  return Number(stored) === 0 ? '0' : Number(stored).toFixed(2);
}
