import { isRecord } from '../record/record-fields.ts';

type Step = { member: string } | { index: number } | 'all';

/** A path in JSON, such as `build.make`, `media.photo_links[*]` or `["@id"]`. */
export interface JsonPath {
  text: string;
  steps: readonly Step[];
}

const MAX_STEPS = 20;
const MAX_FOUND = 1000;

/** A step after the first one; `.name` or in brackets. */
const stepPattern = /\.([^.[\]"'\s$*@?()]+|@[\w-]+)|\[(?:(\d{1,6})|(\*)|("(?:[^"\\]|\\.)*"|'[^'\\]*'))\]/y;

function stepOf([, name, index, all, quoted]: RegExpExecArray): Step | null {
  if (name !== undefined) return { member: name };
  if (index !== undefined) return { index: Number(index) };
  if (all !== undefined) return 'all';
  if (quoted?.startsWith("'")) return { member: quoted.slice(1, -1) };
  try {
    return { member: String(JSON.parse(quoted ?? '')) };
  } catch {
    return null;
  }
}

/**
 * Reads a path in the notation of JSONPath: names with dots between them, `[0]`, `[*]` and `["a name"]`, with or without
 * `$` before them; `$` alone is the whole document. Filters, slices, `..` and functions are no part of it, so that a path
 * runs no code, and takes as long as it is long.
 * @returns null where the text is no such path
 * Source: RFC 9535
 */
export function parseJsonPath(text: string): JsonPath | null {
  const plain = text.trim();
  if (plain === '') return null;
  const rest = plain.startsWith('$') ? plain.slice(1) : plain.startsWith('[') ? plain : `.${plain}`;
  const steps: Step[] = [];
  stepPattern.lastIndex = 0;
  for (let at = 0; at < rest.length; at = stepPattern.lastIndex) {
    const found = stepPattern.exec(rest);
    const step = found && stepOf(found);
    if (!step || steps.push(step) > MAX_STEPS) return null;
  }
  return { text: plain, steps };
}

function next(value: unknown, step: Step): unknown[] {
  if (step === 'all') return Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  if ('index' in step) return Array.isArray(value) && step.index < value.length ? [value[step.index]] : [];
  return isRecord(value) && Object.hasOwn(value, step.member) ? [value[step.member]] : [];
}

/** What is at a path, at most `max` values; null counts as nothing. Without `[*]` it is one value or none. */
export function valuesAt(value: unknown, { steps }: JsonPath, max = MAX_FOUND): unknown[] {
  let found = [value];
  for (const step of steps) {
    const inner: unknown[] = [];
    for (const one of found) for (const each of next(one, step)) if (inner.length < max) inner.push(each);
    found = inner;
  }
  return found.filter((one) => one !== null && one !== undefined);
}

/** What is at a path: undefined for nothing, a list where the path has `[*]`, else the value. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  const found = valuesAt(value, path);
  if (!path.steps.includes('all')) return found[0];
  return found.length > 0 ? found : undefined;
}
