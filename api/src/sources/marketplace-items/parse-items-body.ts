import { AppError } from '../../base/errors.ts';
import { elementsOf, isDeeper } from './json-brackets.ts';

const MAX_NESTING = 64;

/** A line or an item that can't be read, by its place among the items; `record` is what came in. */
export interface UnreadableItem {
  index: number;
  reason: string;
  record: string;
}

/** `items` keeps the order of the body; where a line can't be read it holds undefined, and `badLines` says why. */
export interface ItemsBody {
  items: unknown[];
  badLines: UnreadableItem[];
}

type Reading = { value: unknown } | { reason: string; tooDeep?: boolean };

/** Numbers that would lose digits: ids of 16 digits and more. */
const longNumber = /[:[,]\s*\d{16}/;

function keepDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const losesDigits = typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(source ?? '');
  return losesDigits ? source : value;
}

function read(text: string, maxDepth = MAX_NESTING): Reading {
  if (isDeeper(text, maxDepth)) return { reason: `It nests deeper than ${MAX_NESTING}.`, tooDeep: true };
  try {
    return { value: JSON.parse(text, longNumber.test(text) ? keepDigits : undefined) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'It is no JSON.' };
  }
}

function readEach(texts: readonly string[], maxDepth?: number): ItemsBody {
  const body: ItemsBody = { items: [], badLines: [] };
  for (const line of texts) {
    const result = read(line, maxDepth);
    if ('reason' in result) body.badLines.push({ index: body.items.length, reason: result.reason, record: line });
    body.items.push('value' in result ? result.value : undefined);
  }
  return body;
}

/** A broken array is no list of lines, though some of its lines may read as JSON. */
function linesOf(body: string): string[] | null {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  return lines.length > 1 && (!first.startsWith('[') || 'value' in read(first)) ? lines : null;
}

/**
 * The items of a page or a push: a JSON array, `{items: []}` or one item a line.
 * @throws AppError MALFORMED when nothing of it can be read
 */
export function parseItemsBody(text: string): ItemsBody {
  const body = text.replace(/^\ufeff/, '').trim();
  if (body === '') return { items: [], badLines: [] };
  const whole = read(body);
  if ('value' in whole) {
    const { value } = whole;
    if (Array.isArray(value)) return { items: value, badLines: [] };
    if (typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items)) {
      return { items: value.items, badLines: [] };
    }
    if (typeof value === 'object' && value !== null) return { items: [value], badLines: [] };
    throw new AppError('MALFORMED', 'The body holds no items.');
  }
  const elements = whole.tooDeep
    ? elementsOf(/^\{\s*"items"\s*:\s*([\s\S]*)\}$/.exec(body)?.[1]?.trim() ?? body)
    : null;
  if (elements) return readEach(elements, MAX_NESTING - 1);
  const lines = linesOf(body);
  const found = lines && readEach(lines);
  if (!found?.items.some((item) => typeof item === 'object' && item !== null && !Array.isArray(item))) {
    throw new AppError('MALFORMED', `The body can't be read: ${whole.reason}`);
  }
  return found;
}
