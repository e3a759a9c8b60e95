// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal obeys
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * A text that others wrote, fit for a terminal or a log: what moves the cursor, sets colors, ends a line or turns it
 * around is shown as JSON's escape for it, so that JSON stays the same JSON. Tabs and line feeds stay.
 */
export const printable = (text: string): string =>
  text.replace(obeyed, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
