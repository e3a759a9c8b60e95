/** The text of one record, unread. */
export interface JsonPiece {
  /** All of it, or its beginning where there is a fault. */
  text: string;
  /** Why it can't be read as it stands. */
  fault: { code: 'MALFORMED' | 'TOO_LARGE'; reason: string } | null;
  /** false: more of it came than `text`. */
  whole: boolean;
  /** Of one that is too large: JSON of the fields that came whole before. */
  repaired: string | null;
  /** It stands in no list. */
  alone: boolean;
  /** It may hold numbers that JSON.parse would round. */
  hasLongNumber: boolean;
}

/** Characters of one record. */
export const MAX_LENGTH = 256 * 1024;
export const KEPT_OF_FAULTY = 8000;

/** A piece without a fault, to be read as it stands. */
export const pieceOf = (text: string, alone: boolean): JsonPiece => ({
  text,
  fault: null,
  whole: true,
  repaired: null,
  alone,
  hasLongNumber: false,
});

/** Where the next record of a list can begin after a broken one: one list's records begin with one and the same key. */
export function nextItemLike(begun: string): RegExp {
  const key = /^\{\s*("[^"\\]{1,60}")/.exec(begun)?.[1] ?? '"';
  return new RegExp(`[}\\]]\\s*,\\s*(?=\\{\\s*${key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')})`, 'g');
}

const isSpace = (code: number) => code <= 32 || code === 0xfeff;

/** The text that is needed yet, the record under way in it, and the records that are cut out of it. */
export class PieceBuffer {
  protected buffer = '';
  protected at = 0;
  protected pieces: JsonPiece[] = [];
  protected scan = new ValueScan(0, false);
  /** Where the value or line under way began; null when that is no longer kept. */
  protected start: number | null = null;
  protected inList = false;
  /** An object on its own, until it is known that its line ends with it. */
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

  /** Passes blanks; the character behind them, or NaN when there is none yet. */
  protected skipSpace(): number {
    while (this.at < this.buffer.length && isSpace(this.buffer.charCodeAt(this.at))) this.at++;
    return this.buffer.charCodeAt(this.at);
  }

  /** The value that ends here is a record. */
  protected emitValue(maxDepth: number): void {
    if (this.start !== null && this.at - this.start > MAX_LENGTH) this.letGo(true);
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

  /** What is under way is too large: its beginning is kept, and the rest passes by. */
  protected letGo(isValue: boolean): void {
    const start = this.start ?? 0;
    const { comma, closers } = this.scan;
    this.beginning = {
      text: this.buffer.slice(start, start + KEPT_OF_FAULTY),
      repaired: isValue && comma > start ? this.buffer.slice(start, comma) + closers : null,
    };
    this.start = null;
    this.scan.linesBreakText = true;
  }

  /** Forgets what is no longer needed. */
  protected trim(inValue: boolean): void {
    if (this.start !== null && this.buffer.length - this.start > MAX_LENGTH) this.letGo(inValue);
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

/** The grammar is followed this deep; below it only brackets are counted. */
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

/** How many backslashes stand before `at`, not going back beyond `from`. */
function backslashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && text.charCodeAt(at - count - 1) === BACKSLASH) count++;
  return count;
}

/** Where a text ends that `from` lies in, -1 when it goes on. `from` is not behind a backslash. */
export function closingQuote(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    if (backslashesBefore(text, quote, from) % 2 === 0) return quote;
  }
  return -1;
}

/**
 * Finds the end of one object or list in text that comes bit by bit, without recursion and without building it. It
 * follows just enough of the grammar to notice soon where a quote or a bracket is missing; the rest JSON.parse says.
 */
export class ValueScan {
  /** Where it goes on; after `ended` the first character behind the value, after `broken` the one that can't be. */
  at: number;
  deepest = 0;
  /** It holds what may be a number that JSON.parse would round. */
  hasLongWord = false;
  /** The last comma, and the closing brackets that would end the value there. */
  comma = -1;
  /** While inside of a text: a line break ends nothing but shows that a quote is missing. */
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

  /** The text it is given next lacks its first `count` characters. */
  shift(count: number): void {
    this.at -= count;
    this.comma -= count;
    if (this.textFrom !== null) this.textFrom -= count;
  }

  /** From where on the text is needed again, but for the value itself. */
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
      // A pair of backslashes is over; counting back over megabytes of them at each chunk would never end.
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

  /** A number, a word, or nonsense; it may go on in the next bit. */
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

  /** After `items`: the list is over, and the object goes on behind it. */
  resume(at: number): void {
    this.at = at;
    this.next = Next.comma;
    this.watchItems = false;
  }
}
