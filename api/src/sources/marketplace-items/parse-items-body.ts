import { AppError } from '../../base/errors.ts';

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

/** Whether brackets outside of strings nest deeper than 64; one pass, before anything is built. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 92) index++;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 91 || code === 123) {
      depth++;
      if (depth > MAX_NESTING) return true;
    } else if (code === 93 || code === 125) depth--;
  }
  return false;
}

function read(text: string): { value: unknown } | { reason: string } {
  if (isTooDeep(text)) return { reason: `It nests deeper than ${MAX_NESTING}.` };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'It is no JSON.' };
  }
}

function readLines(text: string): ItemsBody {
  const body: ItemsBody = { items: [], badLines: [] };
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const result = read(line);
    if ('reason' in result) body.badLines.push({ index: body.items.length, reason: result.reason, record: line });
    body.items.push('value' in result ? result.value : undefined);
  }
  return body;
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
  // A broken array is no list of lines, though some of its lines may read as JSON.
  const lines = body.includes('\n') && !body.startsWith('[') ? readLines(body) : null;
  if (!lines?.items.some((item) => typeof item === 'object' && item !== null)) {
    throw new AppError('MALFORMED', `The body can't be read: ${whole.reason}`);
  }
  return lines;
}
