import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import type { ParseContext } from '../source-body.ts';
import { parseMarketplaceItem, rejectItem } from './item/parse-marketplace-item.ts';
import { makeItemReader } from './item-reader.ts';
import type { JsonPiece } from './json-stream/piece-buffer.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON holds none of them but as escapes
const controls = /[\u0000-\u001f]/g;

function keepDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const losesDigits = typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(source ?? '');
  return losesDigits ? source : value;
}

/** A reviver costs several times the parsing itself, and coordinates too are long words. */
const longNumber = /[[:,\s]\d{16,}[\s,}\]]/;

/** @param hasLongWord ids of 16 digits and more keep them all, as text */
function parseJson(text: string, hasLongWord: boolean): unknown {
  const reviver = hasLongWord && longNumber.test(text) ? keepDigits : undefined;
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    const cleaned = text.replace(controls, ' ');
    if (cleaned === text) throw error;
    return JSON.parse(cleaned, reviver);
  }
}

function idOf(repaired: string, context: ParseContext): string | null {
  try {
    const read = parseMarketplaceItem(parseJson(repaired, true), context);
    return 'facts' in read ? read.facts.externalId : read.rejection.externalId;
  } catch {
    return null;
  }
}

export interface ReadPiece {
  piece: JsonPiece;
  record: ParsedRecord;
  /** What its JSON says; undefined when it can't be read. */
  value?: unknown;
}

/** Reads the pieces of one body, one by one, as facts or as what is set aside. */
export function makePieceReader(context: ParseContext): (piece: JsonPiece) => ReadPiece {
  const readItem = makeItemReader(context);
  return (piece) => ({ piece, ...readPiece(piece, readItem, context) });
}

function readPiece(piece: JsonPiece, readItem: (raw: unknown) => ParsedRecord, context: ParseContext) {
  const { text, fault, repaired } = piece;
  if (fault) {
    const record = rejectItem(repaired === null ? null : idOf(repaired, context), fault.code, fault.reason, text);
    if ('rejection' in record && !piece.whole) record.rejection.whole = false;
    return { record };
  }
  let value: unknown;
  try {
    value = parseJson(text, piece.hasLongNumber);
  } catch (error) {
    return { record: rejectItem(null, 'MALFORMED', error instanceof Error ? error.message : 'It is no JSON.', text) };
  }
  return { record: readItem(value), value };
}
