import { closingQuote, ValueScan } from './value-scan.ts';

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
}

const MAX_NESTING = 64;
const MAX_LENGTH = 256 * 1024;
const KEPT_OF_FAULTY = 8000;
/** Longer than what stands between two records. */
const TAIL = 300;
const RESUMED_AT_END = 64;

type Mode =
  | 'top'
  | 'after-value'
  | 'line'
  | 'after-list'
  | 'list'
  | 'word'
  | 'value'
  | 'rest'
  | 'next-item'
  | 'next-line'
  | 'over';

const isSpace = (code: number) => code <= 32 || code === 0xfeff;
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Cuts JSON that comes bit by bit into records: a list, `{"items": []}` with whatever stands beside, single objects
 * one after the other, or one a line. A broken record is one piece with a fault, and the next begins where a record
 * can begin again. Of a record above 256 KB only the beginning is kept.
 */
export class JsonSplitter {
  /** Why the whole is no whole: it broke off, or goes on behind its end. */
  fault: string | null = null;
  /** It is a list, or holds one under `items`. */
  isList = false;
  private buffer = '';
  private at = 0;
  private mode: Mode = 'top';
  private pieces: JsonPiece[] = [];
  private scan = new ValueScan(0, false);
  /** Where the value or line under way began; null when that is no longer kept. */
  private start: number | null = null;
  private beginning = { text: '', repaired: null as string | null };
  /** An object on its own, until it is known that its line ends with it. */
  private held: JsonPiece | null = null;
  private linePrefix = '';
  private inList = false;
  private wrapper: ValueScan | null = null;
  private afterItem = false;
  private resynced = false;
  private nextItem = /[}\]]\s*,\s*(?=\{)/g;

  /** The records that are whole now. */
  push(chunk: string): JsonPiece[] {
    this.buffer += chunk;
    while (this.at < this.buffer.length && this.step()) {}
    this.trim();
    return this.take();
  }

  /** The records that only the end ends; sets `fault`. */
  end(): JsonPiece[] {
    for (let resumed = 0; resumed < RESUMED_AT_END && this.mode === 'value' && !this.inList; resumed++) {
      this.breakOff('It breaks off before its end.');
      while (this.at < this.buffer.length && this.step()) {}
    }
    this.release();
    if (this.mode === 'line') this.endLine(this.buffer.length);
    else if (this.mode === 'next-item' && !/[}\]]\s*$/.test(this.buffer))
      this.fault ??= 'The list breaks off before its end.';
    else if (this.mode === 'rest' || this.mode === 'word' || (this.mode === 'value' && this.inList)) {
      this.fault ??= 'The list breaks off before its end.';
    } else if (this.mode === 'list' && !(this.resynced && this.buffer.charCodeAt(this.at) === 93)) {
      this.fault ??= 'The list breaks off before its end.';
    }
    this.mode = 'over';
    return this.take();
  }

  /** The records that were whole when the text broke off. */
  tear(): JsonPiece[] {
    this.release();
    this.mode = 'over';
    return this.take();
  }

  private take(): JsonPiece[] {
    const taken = this.pieces;
    this.pieces = [];
    return taken;
  }

  private step(): boolean {
    switch (this.mode) {
      case 'top':
        return this.stepTop();
      case 'after-value':
        return this.stepAfterValue();
      case 'line':
        return this.stepLine();
      case 'after-list':
        return this.stepAfterList();
      case 'list':
        return this.stepList();
      case 'word':
        return this.stepWord();
      case 'value':
        return this.stepValue();
      case 'rest':
        return this.stepRest();
      case 'next-item':
        return this.stepNextItem();
      case 'next-line':
        return this.stepNextLine();
      default:
        this.at = this.buffer.length;
        return false;
    }
  }

  /** Passes blanks; the character behind them, or NaN when there is none yet. */
  private skipSpace(): number {
    while (this.at < this.buffer.length && isSpace(this.buffer.charCodeAt(this.at))) this.at++;
    return this.buffer.charCodeAt(this.at);
  }

  private stepTop(): boolean {
    const code = this.skipSpace();
    if (code === 123) this.begin(false);
    else if (code === 91) this.openList(null);
    else if (!Number.isNaN(code)) {
      this.mode = 'line';
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
    this.mode = 'list';
    if (wrapper) this.at = wrapper.at;
    else this.at++;
  }

  private begin(inList: boolean): void {
    this.inList = inList;
    this.start = this.at;
    this.scan = new ValueScan(this.at, !inList && this.buffer.charCodeAt(this.at) === 123);
    this.mode = 'value';
  }

  private stepValue(): boolean {
    const outcome = this.scan.run(this.buffer);
    this.at = this.scan.at;
    if (outcome === 'ended') {
      this.emitValue();
      this.afterItem = true;
      this.mode = this.inList ? 'list' : 'after-value';
    } else if (outcome === 'items') this.openList(this.scan);
    else if (outcome === 'broken') this.breakOff('A quote, a comma or a bracket is missing.');
    return outcome !== 'more';
  }

  private emitValue(): void {
    const alone = !this.inList;
    if (this.start !== null && this.at - this.start > MAX_LENGTH) this.letGo();
    if (this.start === null) this.pieces.push(this.tooLarge());
    else {
      const text = this.buffer.slice(this.start, this.at);
      const tooDeep = this.scan.deepest > (alone ? MAX_NESTING : MAX_NESTING - 1);
      const fault = tooDeep ? ({ code: 'MALFORMED', reason: `It nests deeper than ${MAX_NESTING}.` } as const) : null;
      this.pieces.push({ text, fault, whole: true, repaired: null, alone });
    }
    if (alone) this.held = this.pieces.pop() ?? null;
    this.start = null;
  }

  private release(): void {
    if (this.held) this.pieces.push(this.held);
    this.held = null;
  }

  private tooLarge(): JsonPiece {
    const fault = { code: 'TOO_LARGE', reason: 'The item is larger than 256 KB.' } as const;
    return { ...this.beginning, fault, whole: false, alone: !this.inList };
  }

  /** What is under way is too large: its beginning is kept, and the rest passes by. */
  private letGo(): void {
    const start = this.start ?? 0;
    const { comma, closers } = this.scan;
    const isValue = this.mode === 'value';
    this.beginning = {
      text: this.buffer.slice(start, start + KEPT_OF_FAULTY),
      repaired: isValue && comma > start ? this.buffer.slice(start, comma) + closers : null,
    };
    this.start = null;
    this.scan.linesBreakText = true;
  }

  /** The value under way can't be read: it is set aside, and the next begins behind it, which may be within it. */
  private breakOff(reason: string): void {
    const from = this.start === null ? this.at : this.start + 1;
    const begun = this.start === null ? '' : this.buffer.slice(this.start, this.start + KEPT_OF_FAULTY);
    if (this.inList) {
      const key = /^\{\s*("[^"\\]{1,60}")/.exec(begun)?.[1] ?? '"';
      this.nextItem = new RegExp(`[}\\]]\\s*,\\s*(?=\\{\\s*${escaped(key)})`, 'g');
      this.mode = 'next-item';
    } else this.mode = 'next-line';
    this.at = from;
    const next = this.nextStart();
    const text = begun.slice(0, next - from + (this.inList ? 2 : 1));
    const fault = { code: 'MALFORMED', reason } as const;
    this.pieces.push(
      this.start === null
        ? this.tooLarge()
        : {
            text,
            fault,
            whole: next < this.buffer.length && text.length < KEPT_OF_FAULTY,
            repaired: null,
            alone: !this.inList,
          },
    );
    this.start = null;
  }

  /** Where the record after a broken one is expected, as far as it is seen. */
  private nextStart(): number {
    const pattern = this.mode === 'next-item' ? this.nextItem : /\n(?=[^\s}\]])/g;
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
    this.mode = 'list';
    return true;
  }

  private stepNextLine(): boolean {
    const next = this.nextStart();
    if (next < this.buffer.length) {
      this.at = next + 1;
      this.mode = 'top';
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
      if (!this.afterItem) this.pieces.push({ text: '', fault: null, whole: true, repaired: null, alone: false });
      this.afterItem = false;
      this.at++;
    } else if (code === 123 || code === 91) this.begin(true);
    else {
      this.inList = true;
      this.start = this.at;
      this.mode = 'word';
    }
    return true;
  }

  /** After a broken record a `]` may be one within it: then something else than an end follows. */
  private closeList(): boolean {
    if (this.resynced) {
      const rest = /\S/.exec(this.buffer.slice(this.at + 1, this.at + 1 + TAIL))?.[0];
      if (rest === undefined) return false;
      if (this.wrapper ? rest !== '}' : rest !== '[' && rest !== '{') {
        this.mode = 'next-item';
        return true;
      }
    }
    this.at++;
    this.wrapper?.resume(this.at);
    if (this.wrapper) this.scan = this.wrapper;
    this.mode = this.wrapper ? 'rest' : 'after-list';
    return true;
  }

  /** What stands in a list and is no object or list. */
  private stepWord(): boolean {
    const start = this.start ?? this.at;
    const quoted = this.buffer.charCodeAt(start) === 34;
    const pattern = /[,\]\s]/g;
    pattern.lastIndex = start + 1;
    const end = quoted ? closingQuote(this.buffer, start + 1) + 1 : (pattern.exec(this.buffer)?.index ?? 0);
    if (end === 0) {
      // No word is that long; a quote is missing, and where is no matter.
      if (this.buffer.length - start > KEPT_OF_FAULTY) this.breakOff('It is no object.');
      return this.mode !== 'word';
    }
    this.pieces.push({ text: this.buffer.slice(start, end), fault: null, whole: true, repaired: null, alone: false });
    this.at = end;
    this.start = null;
    this.afterItem = true;
    this.mode = 'list';
    return true;
  }

  /** What stands in the outer object behind its list. */
  private stepRest(): boolean {
    const outcome = this.scan.run(this.buffer);
    this.at = this.scan.at;
    if (outcome === 'ended') this.mode = 'after-list';
    else if (outcome === 'broken') this.refuse("What stands behind the list can't be read.");
    return outcome === 'ended';
  }

  private stepAfterList(): boolean {
    const code = this.skipSpace();
    if (code === 123 || code === 91) this.mode = 'top';
    else if (!Number.isNaN(code)) this.refuse('Something stands behind the list.');
    return true;
  }

  private refuse(fault: string): void {
    this.fault ??= fault;
    this.mode = 'over';
  }

  /** Behind an object on its own: the next one, on this line or another. */
  private stepAfterValue(): boolean {
    while (this.at < this.buffer.length && /[ \t\r]/.test(this.buffer.charAt(this.at))) this.at++;
    const next = this.buffer.charAt(this.at);
    if (next === '') return true;
    if (/[\s,{[]/.test(next)) {
      if (next === ',') this.at++;
      this.release();
      this.mode = 'top';
      return true;
    }
    // A line that goes on behind its object is no record at all.
    this.linePrefix = this.held?.text ?? '';
    this.held = null;
    this.mode = 'line';
    this.start = this.at;
    return true;
  }

  private stepLine(): boolean {
    const end = this.buffer.indexOf('\n', this.at);
    if (end < 0) {
      this.at = this.buffer.length;
      return false;
    }
    this.endLine(end);
    return true;
  }

  private endLine(end: number): void {
    if (this.start !== null && end - this.start > MAX_LENGTH) this.letGo();
    this.inList = false;
    const text = this.start === null ? '' : this.linePrefix + this.buffer.slice(this.start, end).trim();
    this.pieces.push(
      this.start === null ? this.tooLarge() : { text, fault: null, whole: true, repaired: null, alone: true },
    );
    this.start = null;
    this.at = end;
    this.mode = 'top';
  }

  /** Forgets what is no longer needed. */
  private trim(): void {
    if (this.start !== null && this.buffer.length - this.start > MAX_LENGTH) this.letGo();
    const needed = this.mode === 'value' || this.mode === 'rest' ? this.scan.neededFrom : this.at;
    const from = this.start ?? Math.min(needed, this.buffer.length);
    if (from === 0) return;
    this.buffer = this.buffer.slice(from);
    this.at -= from;
    if (this.start !== null) this.start -= from;
    this.scan.shift(from);
  }
}
