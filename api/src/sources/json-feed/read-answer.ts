import { AppError } from '../../base/errors.ts';
import { isRecord } from '../record/record-fields.ts';
import { type JsonPath, valueAt, valuesAt } from './json-path.ts';
import { type FieldName, findFields, type Mapping, mapItem } from './map-item.ts';

/** One page of an API, as the reader of marketplace items takes it. */
export interface Answer {
  items: Record<string, unknown>[];
  /** How many items there are in all pages, where the answer says so. */
  total: number | null;
  /** Where the next page is, where the answer says so: an address or a token. */
  next: string | null;
}

export interface AnswerPaths {
  items: JsonPath;
  total?: JsonPath | undefined;
  next?: JsonPath | undefined;
}

const MAX_ITEMS = 10_000;
const MAX_NAMES = 10;
const MAX_NAME = 30;

const malformed = (message: string) => new AppError('MALFORMED', message);

/** The names of an answer's members, and not their values, which may repeat a key. */
function namesOf(answer: unknown): string {
  if (Array.isArray(answer)) return `a list of ${answer.length}`;
  if (!isRecord(answer)) return answer === null ? 'null' : `a ${typeof answer}`;
  const names = Object.keys(answer).map((name) => name.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_NAME));
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length === 0 ? 'an empty object' : `${shown}${names.length > MAX_NAMES ? ' …' : ''}`;
}

function itemsIn(answer: unknown, path: JsonPath): unknown[] {
  const found = valuesAt(answer, path, MAX_ITEMS + 1);
  const [first] = found;
  if (path.steps.includes('all')) {
    if (found.length === 0 && !hasParent(answer, path)) throw nothingAt(answer, path);
    return found;
  }
  if (first === undefined) throw nothingAt(answer, path);
  if (!Array.isArray(first)) throw malformed(`What is at items (${path.text}) is no list, but ${namesOf(first)}.`);
  return first;
}

/** Whether the list exists of which a path takes all elements. */
const hasParent = (answer: unknown, { text, steps }: JsonPath): boolean =>
  valueAt(answer, { text, steps: steps.slice(0, steps.indexOf('all')) }) !== undefined;

const nothingAt = (answer: unknown, path: JsonPath) =>
  malformed(`The answer has nothing at items (${path.text}), but ${namesOf(answer)}.`);

/** Fields of which one at least must be found in some item, from so many items on: else the API has another shape. */
const groups: readonly { names: readonly FieldName[]; from: number }[] = [
  { names: ['id', 'vin'], from: 2 },
  { names: ['title', 'make', 'model'], from: 2 },
  { names: ['price'], from: 10 },
  { names: ['location', 'city', 'state', 'postalCode', 'latitude', 'longitude'], from: 10 },
];

/** @throws AppError MALFORMED when the mapping finds nothing of one kind in any item */
function requireShape(found: readonly Partial<Record<FieldName, unknown>>[], mapping: Mapping): void {
  for (const { names, from } of groups) {
    const mapped = mapping.paths.filter(([name]) => names.includes(name));
    if (mapped.length === 0 || found.length < from) continue;
    if (found.some((fields) => names.some((name) => fields[name] !== undefined))) continue;
    const paths = mapped.map(([name, candidates]) => `${name} (${candidates.map(({ text }) => text).join(', ')})`);
    throw malformed(`None of the ${found.length} items has anything at ${paths.join(' or ').slice(0, 300)}.`);
  }
}

function numberAt(answer: unknown, path: JsonPath | undefined): number | null {
  const value = path && valueAt(answer, path);
  const number = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function textAt(answer: unknown, path: JsonPath | undefined): string | null {
  const value = path && valueAt(answer, path);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/**
 * Reads one answer of an API by the settings' paths.
 * @throws AppError MALFORMED, in words for the operator, when it has another shape than the settings say
 */
export function readAnswer(answer: unknown, paths: AnswerPaths, mapping: Mapping): Answer {
  const items = itemsIn(answer, paths.items);
  if (items.length > MAX_ITEMS) {
    throw malformed(`The answer has more than ${MAX_ITEMS.toLocaleString('en-US')} items: ask for smaller pages.`);
  }
  const found = items.map((item) => findFields(item, mapping));
  requireShape(found, mapping);
  return {
    items: found.map((fields) => mapItem(fields, mapping)),
    total: numberAt(answer, paths.total),
    next: textAt(answer, paths.next),
  };
}
