/** Objects as somebody types them, also on a phone: JSON, or a line for each entry. */

/** Keyboards of phones write these in the place of plain quotes and blanks. */
const straightened = (text: string): string =>
  text.replace(/[\u201c-\u201f\u00ab\u00bb\u2033]/g, '"').replace(/[\u00a0\u2007\u202f]/g, ' ');

const MAX_DEPTH = 64;
const blanks = /[ \t\n\r]*/y;
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them
const quoted = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

class Fault extends Error {}

/** Reads JSON only to find where it is wrong, which every browser tells in another way, or not at all. */
class Scanner {
  at = 0;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** @returns whether the pattern stands here; then it is read */
  takes(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  needs(pattern: RegExp, what: string): void {
    this.takes(blanks);
    if (!this.takes(pattern)) throw new Fault(`${what} is missing`);
    this.takes(blanks);
  }

  value(depth: number): void {
    this.takes(blanks);
    if (depth > MAX_DEPTH) throw new Fault('the nesting is too deep');
    if (this.takes(/\{/y)) this.entries(/\}/y, '}', depth, true);
    else if (this.takes(/\[/y)) this.entries(/\]/y, ']', depth, false);
    else if (!this.takes(quoted)) this.needs(literal, 'a value in "quotes", a number, { or [');
  }

  entries(end: RegExp, sign: string, depth: number, areNamed: boolean): void {
    this.takes(blanks);
    if (this.takes(end)) return;
    do {
      if (areNamed) {
        this.needs(quoted, 'a name in "quotes"');
        this.needs(/:/y, 'a colon');
      }
      this.value(depth + 1);
      this.takes(blanks);
    } while (this.takes(/,/y));
    this.needs(end, `a comma or ${sign}`);
  }
}

/** How far a text is a JSON object, and what is wrong there; no fault if it is one. */
function scan(text: string): { at: number; fault: string | null } {
  const scanner = new Scanner(text);
  try {
    scanner.needs(/(?=\{)/y, 'the first {');
    scanner.value(0);
    scanner.takes(blanks);
    if (scanner.at < text.length) throw new Fault('the object has ended');
    return { at: scanner.at, fault: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const lines = text.slice(0, scanner.at).split('\n').length;
    const rest = (text.slice(scanner.at).split('\n')[0] ?? '').slice(0, 20);
    const fault = `Line ${lines}: ${error.message} ${rest === '' ? 'at the end' : `before ${rest}`}`;
    return { at: scanner.at, fault };
  }
}

/** Where a text is no JSON object, and what is missing there, in a sentence; null if it is one. */
export function jsonObjectFault(typed: string): string | null {
  const [asTyped, straight] = [scan(typed), scan(straightened(typed))];
  if (asTyped.fault === null || straight.fault === null) return null;
  return asTyped.at > straight.at ? asTyped.fault : straight.fault;
}

/** @param typed a text in which `jsonObjectFault` finds none @throws SyntaxError for any other */
export function jsonObject(typed: string): unknown {
  try {
    // Typographic quotes within a text are its own.
    return JSON.parse(typed) as unknown;
  } catch {
    return JSON.parse(straightened(typed)) as unknown;
  }
}

/** Name and value of a line such as `AUSTIN-01 = Austin, TX`; null for another line. A name may have a `=`. */
function pairIn(line: string): [name: string, value: string] | null {
  const at = line.lastIndexOf('=');
  const name = line.slice(0, Math.max(0, at)).trim();
  const value = line.slice(at + 1).trim();
  return at < 0 || name === '' || value === '' ? null : [name, value];
}

const linesOf = (typed: string): string[] => typed.split(/\r?\n/);

/** Which line is no pair, or is there twice, in a sentence; null if all are pairs. @param example a right line */
export function pairsFault(typed: string, example: string): string | null {
  const names = new Set<string>();
  for (const [index, line] of linesOf(typed).entries()) {
    if (line.trim() === '') continue;
    const [name] = pairIn(line) ?? [];
    if (name === undefined) return `Line ${index + 1} must be like ${example}`;
    if (names.has(name)) return `Line ${index + 1}: ${name.slice(0, 40)} is there twice`;
    names.add(name);
  }
  return null;
}

/** Pairs as an object. */
export const pairsObject = (typed: string): Record<string, string> =>
  Object.fromEntries(linesOf(typed).flatMap((line) => [pairIn(line) ?? []].filter((pair) => pair.length === 2)));

/** An object as pairs, one a line. */
export const pairsText = (pairs: object): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join('\n');
