import { AppError } from '../../../base/errors.ts';
import { MAX_ROW } from './read-delimited.ts';

/** The text of one record, its own tags included; only its beginning where `fault` says why it can't be read. */
export interface XmlFrame {
  text: string;
  fault: { code: 'MALFORMED' | 'TOO_LARGE'; reason: string } | null;
}

interface Tag {
  name: string;
  /** The name as written, with its prefix. */
  rawName: string;
  length: number;
  isEnd: boolean;
  isEmpty: boolean;
}

interface OpenRecord {
  name: string;
  endTag: string;
  text: string;
  size: number;
  depth: number;
  /** Open elements within it that have its name. */
  same: number;
  broken: string | null;
}

const MAX_TAG = 1024 * 1024;
const DEEPEST = 10_000;
/** Marks that end a DTD, or begin text in which such marks don't count. */
const dtdMark = /<!--|<\?|["'[\]>]/g;
/** Names that also occur within records, for lists of other things. */
const reused = new Set('item entry product offer record row'.split(' '));

/** A name without its namespace, in lower case. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/** The tag that begins at `start`; null where there is none, 'more' where its end has not arrived. */
function readTag(text: string, start: number, atEnd: boolean): Tag | 'more' | null {
  let quote = '';
  for (let index = start + 1; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '<' || index - start > MAX_TAG) return null;
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '>') {
      const [, slash, name] = /^<(\/?)([^\s/<>"'=]{1,200})/.exec(text.slice(start, Math.min(index, start + 210))) ?? [];
      if (!name) return null;
      const isEnd = slash === '/';
      return {
        name: localName(name),
        rawName: name,
        length: index + 1 - start,
        isEnd,
        isEmpty: !isEnd && text.charAt(index - 1) === '/',
      };
    }
  }
  return atEnd ? null : 'more';
}

/**
 * Splits the text of an XML document into its records, so that one that is not well-formed is rejected alone. It reads no
 * more than tags, comments, CDATA and the end of a DTD. `recordNames` null: every child of the root is a record.
 */
export class XmlFrames {
  private readonly recordNames: ReadonlySet<string> | null;
  private readonly done: XmlFrame[] = [];
  private buffer = '';
  private at = 0;
  /** The text that ends the current comment, CDATA, quote or declaration. */
  private until: string | null = null;
  /** The current DTD, outside its quotes. */
  private dtd: { hasOpenSubset: boolean } | null = null;
  /** Names of the open elements around records, the root first. */
  private readonly outer: string[] = [];
  private hasRoot = false;
  private fault_: string | null = null;
  private record: OpenRecord | null = null;

  constructor(recordNames: ReadonlySet<string> | null) {
    this.recordNames = recordNames;
  }

  /** Adds text and yields the records that it completes. @param atEnd whether it is the last text */
  *push(text: string, atEnd = false): Generator<XmlFrame> {
    this.buffer = this.buffer.slice(this.at) + text;
    this.at = 0;
    while (this.at < this.buffer.length && this.step(atEnd)) if (this.done.length > 0) yield* this.done.splice(0);
    yield* this.done.splice(0);
  }

  /** Why the document around the records is not well-formed, after all of it was pushed; null when it is. */
  get fault(): string | null {
    if (this.fault_ !== null) return this.fault_;
    if (!this.hasRoot) return 'it holds no element';
    const open = this.record?.name ?? this.outer.at(-1);
    return open === undefined ? null : `it ends before ${open.slice(0, 50)} is closed`;
  }

  private take(end: number): void {
    const { record } = this;
    if (record) {
      record.size += end - this.at;
      if (record.size <= MAX_ROW || record.text.length < 8000)
        record.text += this.buffer.slice(this.at, Math.min(end, this.at + MAX_ROW));
    }
    this.at = end;
  }

  /** Reads on to the next tag. @returns false when more text is needed */
  private step(atEnd: boolean): boolean {
    const { buffer } = this;
    if (this.until !== null) return this.skipTo(this.until);
    if (this.dtd) return this.insideDtd(this.dtd);
    const next = buffer.indexOf('<', this.at);
    this.take(next < 0 ? buffer.length : next);
    if (next < 0 || (buffer.length - next < 9 && !atEnd)) return false;
    if (buffer.startsWith('<!--', next)) return this.skip(4, '-->');
    if (buffer.startsWith('<![CDATA[', next)) return this.skip(9, ']]>');
    if (buffer.startsWith('<?', next)) return this.skip(2, '?>');
    if (!this.hasRoot && /^<!doctype/i.test(buffer.slice(next, next + 9))) {
      this.dtd = { hasOpenSubset: false };
      return this.skip(9, null);
    }
    if (buffer.startsWith('<!', next)) return this.skip(2, '>');
    const tag = readTag(buffer, next, atEnd);
    if (tag === 'more') return false;
    if (!tag) this.take(next + 1);
    else if (this.record) this.inside(tag, this.record);
    else this.outside(tag);
    return true;
  }

  /** Skips to the end of a comment or CDATA. One that is not closed ends with its record. */
  private skipTo(ends: string): boolean {
    const { buffer, record } = this;
    const end = buffer.indexOf(ends, this.at);
    const close = record ? buffer.indexOf(record.endTag, this.at) : -1;
    if (record && close >= 0 && (end < 0 || close < end)) {
      record.broken = `What ${ends} ends is not closed.`;
      this.until = null;
      this.take(close);
      return true;
    }
    const kept = Math.max(ends.length, record?.endTag.length ?? 0) - 1;
    this.take(end < 0 ? Math.max(this.at, buffer.length - kept) : end + ends.length);
    if (end >= 0) this.until = null;
    return end >= 0;
  }

  private skip(length: number, until: string | null): true {
    this.take(this.at + length);
    this.until = until;
    return true;
  }

  /** Reads on within a DTD, whose quotes, comments and instructions may contain the marks that would end it. */
  private insideDtd(dtd: { hasOpenSubset: boolean }): boolean {
    const { buffer } = this;
    dtdMark.lastIndex = this.at;
    const found = dtdMark.exec(buffer);
    // The last three characters may be the beginning of a mark.
    this.take(found ? dtdMark.lastIndex : Math.max(this.at, buffer.length - 3));
    if (!found) return false;
    const [mark] = found;
    if (mark === '<!--') this.until = '-->';
    else if (mark === '<?') this.until = '?>';
    else if (mark === '"' || mark === "'") this.until = mark;
    else if (mark !== '>') dtd.hasOpenSubset = mark === '[';
    else if (!dtd.hasOpenSubset) this.dtd = null;
    return true;
  }

  private outside(tag: Tag): void {
    const { outer, recordNames } = this;
    const isRecord = recordNames ? outer.length > 0 && recordNames.has(tag.name) : outer.length === 1;
    this.hasRoot = true;
    if (tag.isEnd) {
      const depth = outer.lastIndexOf(tag.name);
      if (depth !== outer.length - 1 || depth < 0)
        this.fault_ ??= `the end tag of ${tag.name.slice(0, 50)} belongs to nothing`;
      if (depth >= 0) outer.length = depth;
    } else if (isRecord) {
      const { name, rawName } = tag;
      this.record = { name, endTag: `</${rawName}`, text: '', size: 0, depth: 1, same: 0, broken: null };
    } else if (!tag.isEmpty) {
      outer.push(tag.name);
      if (outer.length > DEEPEST) throw new AppError('MALFORMED', 'The feed is nested too deeply.');
    }
    this.take(this.at + tag.length);
    if (this.record && tag.isEmpty) this.finish();
  }

  private inside(tag: Tag, record: OpenRecord): void {
    const isSame = tag.name === record.name;
    if (isSame && !tag.isEnd && (record.depth === 1 || !reused.has(tag.name)) && this.recordNames) {
      // The previous record was never closed, and this is the next one.
      this.finish(`The element ${record.name} is not closed.`);
      return;
    }
    this.take(this.at + tag.length);
    if (isSame && tag.isEnd && record.same === 0) {
      this.finish();
      return;
    }
    if (tag.isEmpty) return;
    record.depth += tag.isEnd ? -1 : 1;
    if (isSame) record.same += tag.isEnd ? -1 : 1;
  }

  private finish(unclosed?: string): void {
    if (!this.record) return;
    const { text, size } = this.record;
    const fault = unclosed ?? this.record.broken;
    this.record = null;
    const large = size > MAX_ROW ? ({ code: 'TOO_LARGE', reason: 'The record is larger than 256 KB.' } as const) : null;
    const broken = fault === null ? null : ({ code: 'MALFORMED', reason: fault } as const);
    this.done.push({ text: large ? text.slice(0, 8000) : text, fault: large ?? broken });
  }
}
