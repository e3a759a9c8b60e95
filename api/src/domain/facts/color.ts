/** A colour of the catalogue and the shades that are filed under it. */
const shades: Record<string, string> = {
  black: 'black onyx ebony jet obsidian midnight',
  white: 'white ivory pearl alabaster snow frost',
  silver: 'silver platinum aluminum aluminium',
  gray: 'gray grey charcoal graphite gunmetal slate pewter granite steel titanium anthracite',
  blue: 'blue navy azure teal turquoise aqua cyan indigo sapphire',
  red: 'red maroon burgundy crimson ruby scarlet cherry wine garnet',
  green: 'green olive lime emerald forest sage',
  yellow: 'yellow lemon',
  orange: 'orange copper tangerine rust',
  brown: 'brown bronze mocha chocolate espresso mahogany',
  gold: 'gold golden',
  beige: 'beige champagne tan cream sand khaki cashmere almond',
  purple: 'purple violet plum lavender amethyst',
};

const colorOfWord = new Map(
  Object.entries(shades).flatMap(([color, words]) => words.split(' ').map((word) => [word, color] as const)),
);
const unstated = new Set(['', 'unknown', 'not specified', 'unspecified', 'n/a', 'na', 'none', 'null', 'any', '-']);

/**
 * The catalogue's colour for what a seller states: maroon is red, champagne beige, `Pearl White` white.
 * 'other' is stated but in no list; null is not stated.
 */
export function readColor(text: string): string | null {
  const plain = text.slice(0, 100).toLowerCase().replaceAll('_', ' ').trim();
  if (unstated.has(plain)) return null;
  const words = plain.match(/[a-z]+/g) ?? [];
  if (words.length === 0) return null;
  // The colour itself stands last: `midnight blue` is blue, `white/black` takes the first.
  const first = plain.split(/[/,;&+]/)[0]?.match(/[a-z]+/g) ?? words;
  const basic = first.find((word) => Object.hasOwn(shades, word));
  if (basic) return basic;
  for (const word of [...first].reverse()) {
    const color = colorOfWord.get(word);
    if (color) return color;
  }
  return 'other';
}
