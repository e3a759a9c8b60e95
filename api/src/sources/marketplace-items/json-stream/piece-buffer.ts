import { ValueScan } from './value-scan.ts';

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
