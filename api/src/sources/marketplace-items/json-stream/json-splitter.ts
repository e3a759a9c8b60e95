import {
  closingQuote,
  type JsonPiece,
  MAX_FAULTY_LENGTH,
  MAX_LENGTH,
  nextItemLike,
  PieceBuffer,
  pieceOf,
  ValueScan,
} from './record-buffer.ts';

const MAX_NESTING = 64;
/** Longer than the text between two records. */
const TAIL = 300;
const RESUMED_AT_END = 64;

/**
 * Splits JSON that arrives in chunks into records: a list, `{"items": []}` with any other keys, single objects one after
 * the other, or one a line. A broken record is one piece with a fault, and the next piece begins where a record can begin
 * again. Of a record above 256 KB only the beginning is kept.
 */
export class JsonSplitter extends PieceBuffer {
  /** Why the body as a whole is malformed: it breaks off, or continues after its end. */
  fault: string | null = null;
  /** Whether the body is a list, or has one under `items`. */
  isList = false;
  /** Reads on from here. @returns whether it can be called again before there is more text */
  private step: () => boolean = this.stepTop;
  private linePrefix = '';
  private wrapper: ValueScan | null = null;
  private afterItem = false;
  private resynced = false;
  private nextItem = /[}\]]\s*,\s*(?=\{)/g;

  /** Adds text. @returns the records that it completes */
  push(chunk: string): JsonPiece[] {
    this.buffer += chunk;
    this.advance();
    this.dropConsumed(this.step === this.stepValue || this.step === this.stepRest);
    return this.take();
  }

  /** Ends the body and sets `fault`. @returns the records that only the end of the body completes */
  end(): JsonPiece[] {
    for (let resumed = 0; resumed < RESUMED_AT_END && this.step === this.stepValue && !this.inList; resumed++) {
      this.breakOff('It breaks off before its end.');
      this.advance();
    }
    this.release();
    if (this.step === this.stepLine) this.endLine(this.buffer.length);
    if (this.isOpen()) this.fault ??= 'The list breaks off before its end.';
    this.step = this.stepOver;
    return this.take();
  }

  /** Whether a list has begun and not ended. */
  private isOpen(): boolean {
    if (this.step === this.stepList) return !(this.resynced && this.buffer.charCodeAt(this.at) === 93);
    if (this.step === this.stepNextItem) return !/[}\]]\s*$/.test(this.buffer);
    return this.step === this.stepRest || this.step === this.stepWord || (this.step === this.stepValue && this.inList);
  }

  /** Ends a body that broke off. @returns the records that were complete */
  tear(): JsonPiece[] {
    this.release();
    this.step = this.stepOver;
    return this.take();
  }

  /** Reads on to the end of the text so far. */
  private advance(): void {
    while (this.at < this.buffer.length && this.step()) {}
  }

  private stepOver(): boolean {
    this.at = this.buffer.length;
    return false;
  }

  private stepTop(): boolean {
    const code = this.skipSpace();
    if (code === 123) this.begin(false);
    else if (code === 91) this.openList(null);
    else if (!Number.isNaN(code)) {
      this.step = this.stepLine;
      this.linePrefix = '';
      this.start = this.at;
    }
    return true;
  }

  private openList(wrapper: ValueScan | null): void {
    this.isList = true;
    this.wrapper = wrapper;
    this.afterItem = false;
    this.resynced = false;
    this.start = null;
    this.step = this.stepList;
    if (wrapper) this.at = wrapper.at;
    else this.at++;
  }

  private begin(inList: boolean): void {
    this.inList = inList;
    this.start = this.at;
    this.scan = new ValueScan(this.at, !inList && this.buffer.charCodeAt(this.at) === 123);
    this.step = this.stepValue;
  }

  private stepValue(): boolean {
    const outcome = this.scan.run(this.buffer);
    this.at = this.scan.at;
    if (outcome === 'ended') {
      this.emitValue(this.inList ? MAX_NESTING - 1 : MAX_NESTING);
      this.afterItem = true;
      this.step = this.inList ? this.stepList : this.stepAfterValue;
    } else if (outcome === 'items') this.openList(this.scan);
    else if (outcome === 'broken') this.breakOff('A quote, a comma or a bracket is missing.');
    return outcome !== 'more';
  }

  /** Rejects the current value. The next record is searched after its first character, so it may lie within the value. */
  private breakOff(reason: string): void {
    const from = this.start === null ? this.at : this.start + 1;
    const begun = this.start === null ? '' : this.buffer.slice(this.start, this.start + MAX_FAULTY_LENGTH);
    if (this.inList) {
      this.nextItem = nextItemLike(begun);
      this.step = this.stepNextItem;
    } else this.step = this.stepNextLine;
    this.at = from;
    const next = this.nextStart();
    const text = begun.slice(0, next - from + (this.inList ? 2 : 1));
    const whole = next < this.buffer.length && text.length < MAX_FAULTY_LENGTH;
    if (this.start === null) this.pieces.push(this.tooLarge());
    else this.pieces.push({ ...pieceOf(text, !this.inList), fault: { code: 'MALFORMED', reason }, whole });
    this.start = null;
  }

  /** Where the record after a broken one begins; the end of the text so far when it is not there yet. */
  private nextStart(): number {
    const pattern = this.step === this.stepNextItem ? this.nextItem : /\n(?=[^\s}\]])/g;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.buffer);
    return found ? found.index : this.buffer.length;
  }

  private stepNextItem(): boolean {
    this.nextItem.lastIndex = this.at;
    const found = this.nextItem.exec(this.buffer);
    if (!found) {
      this.at = Math.max(this.at, this.buffer.length - TAIL);
      return false;
    }
    this.at = this.nextItem.lastIndex;
    this.afterItem = false;
    this.resynced = true;
    this.step = this.stepList;
    return true;
  }

  private stepNextLine(): boolean {
    const next = this.nextStart();
    if (next < this.buffer.length) {
      this.at = next + 1;
      this.step = this.stepTop;
      return true;
    }
    this.at = Math.max(this.at, this.buffer.length - (this.buffer.endsWith('\n') ? 1 : 0));
    return false;
  }

  private stepList(): boolean {
    const code = this.skipSpace();
    if (Number.isNaN(code)) return true;
    if (code === 93) return this.closeList();
    if (code === 44) {
      if (!this.afterItem) this.pieces.push(pieceOf('', false));
      this.afterItem = false;
      this.at++;
    } else if (code === 123 || code === 91) this.begin(true);
    else {
      this.inList = true;
      this.start = this.at;
      this.step = this.stepWord;
    }
    return true;
  }

  /** After a broken record a `]` may belong to that record; then something other than an end follows. */
  private closeList(): boolean {
    if (this.resynced) {
      const rest = /\S/.exec(this.buffer.slice(this.at + 1, this.at + 1 + TAIL))?.[0];
      if (rest === undefined) return false;
      if (this.wrapper ? rest !== '}' : rest !== '[' && rest !== '{') {
        this.step = this.stepNextItem;
        return true;
      }
    }
    this.at++;
    this.wrapper?.resume(this.at);
    if (this.wrapper) this.scan = this.wrapper;
    this.step = this.wrapper ? this.stepRest : this.stepAfterList;
    return true;
  }

  /** Reads an entry of a list that is neither an object nor a list. */
  private stepWord(): boolean {
    const start = this.start ?? this.at;
    const quoted = this.buffer.charCodeAt(start) === 34;
    const pattern = /[,\]\s]/g;
    pattern.lastIndex = start + 1;
    const end = quoted ? closingQuote(this.buffer, start + 1) + 1 : (pattern.exec(this.buffer)?.index ?? 0);
    if (end === 0) {
      // No word is that long, so a quote is missing somewhere.
      if (this.buffer.length - start > MAX_FAULTY_LENGTH) this.breakOff('It is no object.');
      return this.step !== this.stepWord;
    }
    this.pieces.push(pieceOf(this.buffer.slice(start, end), false));
    this.at = end;
    this.start = null;
    this.afterItem = true;
    this.step = this.stepList;
    return true;
  }

  /** Reads the rest of the outer object after its list. */
  private stepRest(): boolean {
    const outcome = this.scan.run(this.buffer);
    this.at = this.scan.at;
    if (outcome === 'ended') this.step = this.stepAfterList;
    else if (outcome === 'broken') this.fail("What stands behind the list can't be read.");
    return outcome === 'ended';
  }

  private stepAfterList(): boolean {
    const code = this.skipSpace();
    if (code === 123 || code === 91) this.step = this.stepTop;
    else if (!Number.isNaN(code)) this.fail('Something stands behind the list.');
    return true;
  }

  private fail(fault: string): void {
    this.fault ??= fault;
    this.step = this.stepOver;
  }

  /** Reads on after an object outside a list, to the next one on this line or another. */
  private stepAfterValue(): boolean {
    while (this.at < this.buffer.length && /[ \t\r]/.test(this.buffer.charAt(this.at))) this.at++;
    const next = this.buffer.charAt(this.at);
    if (next === '') return true;
    if (/[\s,{[]/.test(next)) {
      if (next === ',') this.at++;
      this.release();
      this.step = this.stepTop;
      return true;
    }
    // A line that continues after its object is malformed as a whole.
    this.linePrefix = this.held?.text ?? '';
    this.held = null;
    this.step = this.stepLine;
    this.start = this.at;
    return true;
  }

  private stepLine(): boolean {
    const end = this.buffer.indexOf('\n', this.at);
    if (end < 0) this.at = this.buffer.length;
    else this.endLine(end);
    return end >= 0;
  }

  private endLine(end: number): void {
    if (this.start !== null && end - this.start > MAX_LENGTH) this.keepBeginning(false);
    this.inList = false;
    const text = this.start === null ? '' : this.linePrefix + this.buffer.slice(this.start, end).trim();
    this.pieces.push(this.start === null ? this.tooLarge() : pieceOf(text, true));
    this.start = null;
    this.at = end;
    this.step = this.stepTop;
  }
}
