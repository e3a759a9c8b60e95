/** Whether a text has the parts in their order, the first at its start. Takes time in proportion to the text's length. */
function hasParts(text: string, parts: readonly string[]): boolean {
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = index === 0 ? (text.startsWith(part) ? 0 : -1) : text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * Whether a path and query match one of the patterns: each is a beginning, such as `/used/`, in which `*` stands for any
 * characters, as in robots.txt.
 */
export const matchesPath = (path: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => hasParts(path, pattern.split('*')));
