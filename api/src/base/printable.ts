// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes an untrusted text safe for a terminal or log: control and bidirectional characters become JSON escapes, so that
 * JSON keeps its meaning. Tabs and line feeds stay.
 */
export const printable = (text: string): string =>
  text.replace(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
