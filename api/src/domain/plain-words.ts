/*
 * Not by the Intl formatters, the first of which loads their tables: of a slow phone's first view that took 10 to 15 ms
 * each.
 */

/** Formats 10000 as `10,000`. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** `mail`, `mail and push notification`, `mail, text message, and push notification`. */
export const conjoined = (words: readonly string[]): string =>
  words.length < 3 ? words.join(' and ') : `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`;
