import { factsHash, type ParsedRecord, rejected } from '../../domain/facts/listing-facts.ts';
import type { ParseContext } from '../source-body.ts';
import { parseMarketplaceItem, rejectItem } from './item/parse-marketplace-item.ts';
import type { JsonPiece } from './json-stream/piece-buffer.ts';

/** Beyond these a body is no longer searched for ids that stand twice: what is remembered has to end somewhere. */
const MOST_SEEN = 300_000;

/**
 * Reads the items of one body, one by one. An id that stands twice is one listing: the same facts again are taken
 * (and change nothing), other facts are refused as DUPLICATE_ID, so that two rows of one page don't change a car back
 * and forth at each read.
 */
export function makeItemReader(context: ParseContext): (raw: unknown) => ParsedRecord {
  const seen = new Map<string, string>();
  return (raw) => {
    const record = parseMarketplaceItem(raw, context);
    if ('rejection' in record || context.laterCounts) return record;
    const { externalId } = record.facts;
    const hash = factsHash(record.facts);
    const first = seen.get(externalId);
    if (first === undefined && seen.size < MOST_SEEN) seen.set(externalId, hash);
    if (first === undefined || first === hash) return record;
    return rejected(
      'items',
      externalId,
      'DUPLICATE_ID',
      'The id stands before with other facts; the first record counts.',
      JSON.stringify(raw),
    );
  };
}

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
