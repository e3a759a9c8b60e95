import { isRecord } from '../record/record-fields.ts';

const MAX_TEXT = 4000;
const MAX_LIST = 64 * 1024;

const pair =
  /([a-z_]\w{0,40}|"\w{1,40}"|'\w{1,40}')\s{0,9}[:=]\s{0,9}(?:'([\s\S]{0,400}?)'(?=\s{0,9}(?:[,;}]|$))|"((?:[^"\\]|\\.){0,400})"|([^,;}'"]{0,400}))/gi;

/**
 * The fields of an object in JSON, or in what Meta's examples call JSON: `{addr1: '550 Auto Center Dr', city: 'O'Fallon'}`.
 * null when it is no object.
 */
export function readPseudoObject(text: string): Record<string, unknown> | null {
  const plain = text.slice(0, MAX_TEXT).trim();
  if (!plain.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(plain);
    return isRecord(value) ? value : null;
  } catch {
    const found: [string, string][] = [];
    for (const [, name = '', single, double, bare] of plain.matchAll(pair)) {
      found.push([name.replace(/["']/g, '').toLowerCase(), (single ?? double ?? bare ?? '').trim()]);
    }
    return Object.fromEntries(found);
  }
}

/** The list in JSON that a cell holds; null when it is none. */
function readJsonList(text: string): unknown[] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return null;
  }
}

const address = /https?:\/\/[^\s'"<>|]+?(?=['"\s<>|]|[\]}]\s*$|[,;]\s{0,9}(?:https?:\/\/|$)|$)/gi;

/** Every photo of a cell: a JSON list of objects or addresses, such a list in loose quotes, or addresses in a row. */
export function readPhotoCell(text: string): unknown[] {
  return readJsonList(text) ?? [...text.slice(0, MAX_LIST).matchAll(address)].map(([found]) => found);
}
