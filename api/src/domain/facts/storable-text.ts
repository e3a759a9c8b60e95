// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be stored
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * PostgreSQL's text holds no NUL, half a surrogate pair is no character, and other control characters only harm who
 * shows them: all become U+FFFD. Tabs and line ends stay.
 */
export const storableText = (text: string): string => text.toWellFormed().replace(controls, '\uFFFD');
