/** PostgreSQL's text holds no NUL, and half a surrogate pair is no character: both become U+FFFD. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD');
