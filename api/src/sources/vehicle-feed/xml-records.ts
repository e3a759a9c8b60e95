import { AppError } from '../../base/errors.ts';
import type { FeedEntry } from './feed-entry.ts';
import { type FeedRow, feedRowId, nestedColumns } from './feed-row.ts';
import { MAX_ROW } from './row-frames.ts';

const MAX_NESTING = 64;
/** Beyond this even counting the open elements costs too much. */
const DEEPEST = 100_000;

interface Element {
  name: string;
  /** Attributes and children. */
  inner: FeedRow | null;
  text: string;
  hasChildren: boolean;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1).toLowerCase();

function add(row: FeedRow, name: string, value: unknown): void {
  const before = row[name];
  row[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
}

/** What an element says: its text; its attributes and children with its text as `value`; prose with markup is text. */
function contentOf({ inner, text, hasChildren }: Element): unknown {
  const plain = text.trim();
  if (!inner) return plain;
  if (hasChildren) return inner;
  if (plain !== '') inner.value = plain;
  return inner;
}

/** Builds records from the parser's events; `recordNames` null: every child of the root is one. */
export class XmlRecords {
  private readonly recordNames: ReadonlySet<string> | null;
  private readonly done: FeedEntry[] = [];
  /** The elements of the record at hand, itself first. */
  private open_: Element[] = [];
  private depth = 0;
  private size = 0;
  private skipped = 0;
  private fault: { code: 'MALFORMED' | 'TOO_LARGE'; reason: string } | null = null;

  constructor(recordNames: ReadonlySet<string> | null) {
    this.recordNames = recordNames;
  }

  open(rawName: string, attributes: Record<string, string>): void {
    const name = localName(rawName);
    this.depth++;
    if (this.depth > DEEPEST) throw new AppError('MALFORMED', 'The feed nests without end.');
    const record = this.open_[0];
    if (!record) {
      const begins = this.recordNames ? this.depth > 1 && this.recordNames.has(name) : this.depth === 2;
      if (begins) this.begin(name, attributes);
      return;
    }
    if (name === record.name && this.open_.length === 1 && this.skipped === 0) {
      // The record before was never closed.
      this.fault ??= { code: 'MALFORMED', reason: `The element ${name} is not closed.` };
      this.finish();
      this.begin(name, attributes);
      return;
    }
    if (this.skipped > 0 || this.open_.length >= MAX_NESTING) {
      this.fault ??= { code: 'MALFORMED', reason: `It nests deeper than ${MAX_NESTING}.` };
      this.skipped++;
      return;
    }
    this.push(name, attributes);
  }

  private begin(name: string, attributes: Record<string, string>): void {
    this.open_ = [];
    this.size = 0;
    this.fault = null;
    this.push(name, attributes);
  }

  private push(name: string, attributes: Record<string, string>): void {
    const element: Element = { name, inner: null, text: '', hasChildren: false };
    this.grow(name.length + 8);
    for (const [key, value] of Object.entries(attributes)) {
      if (/^xmlns(:|$)/.test(key)) continue;
      element.inner ??= Object.create(null) as FeedRow;
      this.grow(key.length + value.length);
      if (!this.fault) element.inner[localName(key)] = value;
    }
    this.open_.push(element);
  }

  private grow(by: number): void {
    this.size += by;
    if (this.size > MAX_ROW) this.fault ??= { code: 'TOO_LARGE', reason: 'The record is larger than 256 KB.' };
  }

  text(text: string): void {
    const element = this.open_.at(-1);
    if (!element || this.skipped > 0) return;
    this.grow(text.length);
    if (!this.fault) element.text += text;
  }

  close(): void {
    this.depth--;
    if (this.skipped > 0) {
      this.skipped--;
      return;
    }
    const element = this.open_.at(-1);
    if (!element) return;
    if (this.open_.length === 1) {
      this.finish();
      return;
    }
    this.open_.pop();
    const parent = this.open_.at(-1);
    if (!parent || this.fault) return;
    if (parent.text.trim() !== '' && this.open_.length > 1) {
      // Markup within prose.
      parent.text += ` ${element.text} `;
      return;
    }
    parent.inner ??= Object.create(null) as FeedRow;
    parent.hasChildren = true;
    add(parent.inner, element.name, contentOf(element));
  }

  private finish(): void {
    const row = this.open_[0]?.inner ?? (Object.create(null) as FeedRow);
    this.open_ = [];
    this.skipped = 0;
    if (!this.fault) {
      this.done.push({ row });
      return;
    }
    const id = feedRowId(nestedColumns(row));
    this.done.push({ ...this.fault, record: JSON.stringify(row), ...(id !== null && { id }) });
  }

  /** A fault of the document. @returns whether it only spoils the record at hand */
  spoil(reason: string): boolean {
    if (this.open_.length === 0) return false;
    this.fault ??= { code: 'MALFORMED', reason };
    return true;
  }

  /** No more text comes: a record that is still open is cut off, and none. */
  end(): void {
    this.open_ = [];
    this.skipped = 0;
  }

  /** The records that are complete, each once. */
  take(): FeedEntry[] {
    return this.done.splice(0);
  }
}
