const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const isOpening = (code: number) => code === 91 || code === 123;
const isClosing = (code: number) => code === 93 || code === 125;

/** Calls `see` for each bracket and comma outside of strings, in one pass. `see` returns true to stop. */
function scan(text: string, see: (code: number, depth: number, index: number) => boolean): void {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) quoted = false;
    } else if (code === QUOTE) quoted = true;
    else if (isOpening(code)) {
      depth++;
      if (see(code, depth, index)) return;
    } else if (isClosing(code)) {
      depth--;
      if (see(code, depth, index)) return;
    } else if (code === COMMA && see(code, depth, index)) return;
  }
}

/** Whether brackets outside of strings nest deeper than `maxDepth`, before anything is built. */
export function isDeeper(text: string, maxDepth: number): boolean {
  let deeper = false;
  scan(text, (_code, depth) => {
    deeper = depth > maxDepth;
    return deeper;
  });
  return deeper;
}

/** The texts of a JSON array's elements, unread; null when its brackets don't close where the text ends. */
export function elementsOf(text: string): string[] | null {
  if (!text.startsWith('[')) return null;
  const elements: string[] = [];
  let start = 1;
  let end = -1;
  scan(text, (code, depth, index) => {
    if (code === COMMA && depth === 1) {
      elements.push(text.slice(start, index));
      start = index + 1;
    }
    if (depth === 0) end = index;
    return depth === 0;
  });
  if (end !== text.length - 1 || text[end] !== ']') return null;
  return [...elements, text.slice(start, end)];
}
