/** The text of one record, not parsed yet. */
export interface JsonPiece {
  /** All of it, or its beginning where there is a fault. */
  text: string;
  /** Why it can't be parsed; null when it may be. */
  fault: { code: 'MALFORMED' | 'TOO_LARGE'; reason: string } | null;
  /** Whether `text` is all of the record. */
  whole: boolean;
  /** Of a record that is too large: JSON of the fields that were complete before the limit. */
  repaired: string | null;
  /** Whether it is outside a list. */
  alone: boolean;
  /** Whether it may contain numbers that JSON.parse would round. */
  hasLongNumber: boolean;
}

/** The most characters of one record. */
export const MAX_LENGTH = 256 * 1024;
export const MAX_FAULTY_LENGTH = 8000;

/** A piece without a fault. */
export const pieceOf = (text: string, alone: boolean): JsonPiece => ({
  text,
  fault: null,
  whole: true,
  repaired: null,
  alone,
  hasLongNumber: false,
});

/** Finds where the next record of a list can begin after a broken one, as all records of a list begin with the same key. */
export function nextItemLike(begun: string): RegExp {
  const key = /^\{\s*("[^"\\]{1,60}")/.exec(begun)?.[1] ?? '"';
  return new RegExp(`[}\\]]\\s*,\\s*(?=\\{\\s*${key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`, 'g');
}

const isSpace = (code: number) => code <= 32 || code === 0xfeff;

/** The part of the text that is still needed, the current record in it, and the records that were split off. */
export class PieceBuffer {
  protected buffer = '';
  protected at = 0;
  protected pieces: JsonPiece[] = [];
  protected scan = new ValueScan(0, false);
  /** Where the current value or line began; null when that is no longer in the buffer. */
  protected start: number | null = null;
  protected inList = false;
  /** An object outside a list, until its line is known to end with it. */
  protected held: JsonPiece | null = null;
  private beginning: Pick<JsonPiece, 'text' | 'repaired'> = { text: '', repaired: null };

  protected take(): JsonPiece[] {
    const taken = this.pieces;
    this.pieces = [];
    return taken;
  }

  protected release(): void {
    if (this.held) this.pieces.push(this.held);
    this.held = null;
  }

  /** Skips blanks. @returns the code of the character after them, NaN when there is none yet */
  protected skipSpace(): number {
    while (this.at < this.buffer.length && isSpace(this.buffer.charCodeAt(this.at))) this.at++;
    return this.buffer.charCodeAt(this.at);
  }

  /** Takes the value that ends here as a record. */
  protected emitValue(maxDepth: number): void {
    if (this.start !== null && this.at - this.start > MAX_LENGTH) this.keepBeginning(true);
    const piece = this.start === null ? this.tooLarge() : pieceOf(this.buffer.slice(this.start, this.at), !this.inList);
    piece.hasLongNumber = this.scan.hasLongWord;
    if (!piece.fault && this.scan.deepest > maxDepth) {
      piece.fault = { code: 'MALFORMED', reason: 'It nests too deep: 64 is the limit.' };
    }
    if (this.inList) this.pieces.push(piece);
    else this.held = piece;
    this.start = null;
  }

  protected tooLarge(): JsonPiece {
    const fault = { code: 'TOO_LARGE', reason: 'The item is larger than 256 KB.' } as const;
    return { ...this.beginning, fault, whole: false, alone: !this.inList, hasLongNumber: true };
  }

  /** Keeps only the beginning of the current record, which is too large. */
  protected keepBeginning(isValue: boolean): void {
    const start = this.start ?? 0;
    const { comma, closers } = this.scan;
    this.beginning = {
      text: this.buffer.slice(start, start + MAX_FAULTY_LENGTH),
      repaired: isValue && comma > start ? this.buffer.slice(start, comma) + closers : null,
    };
    this.start = null;
    this.scan.linesBreakText = true;
  }

  /** Drops the text that is no longer needed. */
  protected dropConsumed(inValue: boolean): void {
    if (this.start !== null && this.buffer.length - this.start > MAX_LENGTH) this.keepBeginning(inValue);
    const from = this.start ?? Math.min(inValue ? this.scan.neededFrom : this.at, this.buffer.length);
    if (from === 0) return;
    this.buffer = this.buffer.slice(from);
    this.at -= from;
    if (this.start !== null) this.start -= from;
    this.scan.shift(from);
  }
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const SPACE = 32;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** The grammar is checked to this depth; below it only brackets are counted. */
const FOLLOWED_DEPTH = 64;

/** A number of more digits may lose some. */
const MAX_SAFE_DIGITS = 15;

enum Next {
  key,
  colon,
  value,
  comma,
}

const isOpening = (code: number) => code === OPEN_OBJECT || code === OPEN_LIST;
const isClosing = (code: number) => code === CLOSE_OBJECT || code === CLOSE_LIST;
const isMark = (code: number) =>
  code <= SPACE || code === QUOTE || code === COMMA || code === COLON || isOpening(code) || isClosing(code);

/** How many backslashes are before `at`, not going back beyond `from`. */
function backslashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && text.charCodeAt(at - count - 1) === BACKSLASH) count++;
  return count;
}

/** Where the quoted text around `from` ends; -1 when it continues. `from` must not follow a backslash. */
export function closingQuote(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    if (backslashesBefore(text, quote, from) % 2 === 0) return quote;
  }
  return -1;
}

/**
 * Finds the end of one object or list in text that arrives in chunks, without recursion and without building it. It checks
 * just enough of the grammar to notice early where a quote or a bracket is missing; JSON.parse finds all other faults.
 */
export class ValueScan {
  /** Where it continues: after `ended` the first character after the value, after `broken` the unexpected character. */
  at: number;
  deepest = 0;
  /** Whether it may contain a number that JSON.parse would round. */
  hasLongWord = false;
  /** The last comma, and the closing brackets that would end the value there. */
  comma = -1;
  /** Whether a line break within quoted text shows that a quote is missing. */
  linesBreakText = false;
  private commaDepth = 0;
  private depth = 0;
  private next = Next.value;
  private textFrom: number | null = null;
  private inWord = false;
  private keyIsItems = false;
  private readonly isObject: boolean[] = [];
  private watchItems: boolean;

  /** @param watchItems stop where the value of the outermost object's key `items` begins, if it is a list */
  constructor(at: number, watchItems: boolean) {
    this.at = at;
    this.watchItems = watchItems;
  }

  /** To be called when the first `count` characters of the text were dropped. */
  shift(count: number): void {
    this.at -= count;
    this.comma -= count;
    if (this.textFrom !== null) this.textFrom -= count;
  }

  /** From where on the text is still needed to continue. */
  get neededFrom(): number {
    const key = this.next === Next.key && this.textFrom !== null && this.at - this.textFrom < 20;
    return key ? Math.max(0, this.textFrom ?? 0) : this.at;
  }

  get closers(): string {
    let text = '';
    for (let depth = this.commaDepth; depth > 0; depth--) text += this.isObject[depth] ? '}' : ']';
    return text;
  }

  run(text: string): 'more' | 'ended' | 'broken' | 'items' {
    if (this.textFrom !== null) {
      const outcome = this.passText(text);
      if (outcome) return outcome;
    }
    if (this.inWord) this.passWord(text, true);
    while (this.at < text.length) {
      const outcome = this.step(text, text.charCodeAt(this.at));
      if (outcome) return outcome;
    }
    return 'more';
  }

  private passText(text: string): 'more' | 'broken' | null {
    const end = closingQuote(text, this.at);
    if (this.linesBreakText) {
      const line = text.indexOf('\n', this.at);
      if (line >= 0 && (end < 0 || line < end)) {
        this.at = line;
        return 'broken';
      }
    }
    if (end < 0) {
      // Backslashes are skipped in pairs, as counting back over megabytes of them at each chunk would never end.
      this.at = text.length - (backslashesBefore(text, text.length, this.at) % 2);
      return 'more';
    }
    const from = this.textFrom ?? 0;
    this.textFrom = null;
    this.at = end + 1;
    if (this.depth > FOLLOWED_DEPTH) return null;
    this.keyIsItems = this.next === Next.key && from >= 0 && end - from === 6 && text.startsWith('items', from + 1);
    this.next = this.next === Next.key ? Next.colon : Next.comma;
    return null;
  }

  private step(text: string, code: number): 'more' | 'ended' | 'broken' | 'items' | null {
    const followed = this.depth <= FOLLOWED_DEPTH;
    if (code <= SPACE) this.at++;
    else if (code === QUOTE) {
      if (followed && this.next !== Next.key && this.next !== Next.value) return 'broken';
      this.textFrom = this.at++;
      return this.passText(text);
    } else if (isOpening(code)) {
      if (followed && this.next !== Next.value) return 'broken';
      this.at++;
      if (this.watchItems && this.depth === 1 && this.keyIsItems && code === OPEN_LIST) return 'items';
      this.open(code === OPEN_OBJECT);
    } else if (isClosing(code)) {
      if (followed && this.isObject[this.depth] !== (code === CLOSE_OBJECT)) return 'broken';
      this.at++;
      this.depth--;
      this.next = Next.comma;
      if (this.depth === 0) return 'ended';
    } else if (code === COMMA) {
      if (followed) {
        this.next = this.isObject[this.depth] ? Next.key : Next.value;
        this.comma = this.at;
        this.commaDepth = this.depth;
      }
      this.at++;
    } else if (code === COLON) {
      if (followed && this.next !== Next.colon) return 'broken';
      this.next = Next.value;
      this.at++;
    } else return this.passWord(text, followed);
    return null;
  }

  private open(isObject: boolean): void {
    this.depth++;
    this.deepest = Math.max(this.deepest, this.depth);
    if (this.depth > FOLLOWED_DEPTH) return;
    this.isObject[this.depth] = isObject;
    this.next = isObject ? Next.key : Next.value;
  }

  /** Skips a number or a word, which may continue in the next chunk. */
  private passWord(text: string, followed: boolean): 'broken' | null {
    if (followed && !this.inWord) {
      if (this.next !== Next.value && this.next !== Next.key) return 'broken';
      this.next = this.next === Next.key ? Next.colon : Next.comma;
    }
    const from = this.at;
    while (this.at < text.length && !isMark(text.charCodeAt(this.at))) this.at++;
    this.hasLongWord ||= this.inWord || this.at - from > MAX_SAFE_DIGITS;
    this.inWord = this.at === text.length;
    return null;
  }

  /** Continues with the outer object after the list under `items` has ended. */
  resume(at: number): void {
    this.at = at;
    this.next = Next.comma;
    this.watchItems = false;
  }
}
