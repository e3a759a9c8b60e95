/** About as many bytes as a whole record may have. */
const LENGTH = 250_000;

/** Units that make patterns backtrack when repeated; the last character of the text matches none of them. */
const units = {
  letters: 'a',
  digits: '1',
  spaces: ' ',
  'no-break spaces': '\u00a0',
  'blank lines': '\r\n',
  tabs: '\t',
  dashes: '-',
  points: '.',
  'opening brackets': '[{(<',
  'closing brackets': ')}]',
  quotes: '"\'',
  'open tags': '<a ',
  'whole tags': '<b></b>',
  entities: '&amp;',
  ampersands: '&',
  'words and blanks': 'a ',
  'words and points': 'a.',
  'words and dashes': 'a-',
  'numbers and commas': '1,',
  'numbers and blanks': '1 ',
  'groups of thousands': '111,',
  prices: '$1 ',
  'amounts paid down': '$1 down ',
  kilometres: 'km',
  miles: '1 mi',
  years: '2014 ',
  makes: 'ford ',
  models: 'f150 ',
  parts: 'rims off ',
  addresses: 'https://a',
  'pseudo-JSON': "{a:'",
  'true JSON': '[[{"a":',
  places: 'springfield ',
  'accented letters': 'e\u0301',
  'accents alone': '\u0301',
  emoji: '👩\u200d👩\u200d',
  'half emoji': '\ud83d',
  'fancy letters': '𝓐',
  'full-width digits': '１',
  'turned lines': '\u202e\u2066',
  'zero width': '\u200b',
  'null bytes': '\u0000',
  escapes: '\u001b[31m',
} as const;

export type HostileKind = keyof typeof units;
export const hostileKinds = Object.keys(units) as HostileKind[];

/** A text of about that many bytes. Some patterns backtrack only with text before or after the repetition. */
export function hostileText(kind: HostileKind, bytes = LENGTH): string {
  const unit = units[kind];
  return `x ${unit.repeat(Math.floor((bytes - 4) / Buffer.byteLength(unit)))} !`;
}

/** The same without text before it, for patterns that are anchored at the start. */
export const bareHostileText = (kind: HostileKind, bytes = LENGTH): string => hostileText(kind, bytes).slice(2);
