/** A source's name in words: `lot-of-bob` is "Lot of bob". */
export function sourceLabel(name: string): string {
  const words = name.replaceAll('-', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
