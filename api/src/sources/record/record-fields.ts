/** The fields of a record under one spelling: `is_sold`, `isSold` and `Is sold` are all `issold`. */
export type Fields = ReadonlyMap<string, unknown>;

const none: Fields = new Map();

/** Whether a JSON value is an object: no array, not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MAX_KNOWN = 2000;
const LONGEST_KNOWN = 100;
/** Items of one source have the same few names of fields. */
const spellings = new Map<string, string>();

/** The spelling under which a field is kept. */
export function spelling(name: string): string {
  const known = spellings.get(name);
  if (known !== undefined) return known;
  const spelt = name.toLowerCase().replace(/[_\s-]/g, '');
  if (spellings.size >= MAX_KNOWN) spellings.clear();
  if (name.length <= LONGEST_KNOWN) spellings.set(name, spelt);
  return spelt;
}

/** The stated fields of an object; none of what isn't one. Later objects fill what earlier ones leave out. */
export function fieldsOf(...values: unknown[]): Fields {
  const fields = new Map<string, unknown>();
  for (const value of values) {
    if (!isRecord(value)) continue;
    for (const [name, content] of Object.entries(value)) {
      const key = spelling(name);
      if (content !== null && content !== undefined && content !== '' && !fields.has(key)) fields.set(key, content);
    }
  }
  return fields.size > 0 ? fields : none;
}

const MAX_PAIRS = 100;

/** Pairs as an object: `[{name: 'Make', value: 'Ford'}]`, as schema.org's `additionalProperty` has them. */
export function pairsOf(value: unknown): Record<string, unknown> {
  if (!Array.isArray(value)) return isRecord(value) ? value : {};
  const pairs = value.slice(0, MAX_PAIRS).flatMap((pair) => {
    const fields = fieldsOf(pair);
    const name = textOf(fields, 'name', 'attributename', 'key', 'label');
    return name === null ? [] : [[name, fields.get('value')] as const];
  });
  return Object.fromEntries(pairs);
}

function asText(value: unknown, depth = 2): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
  if (depth === 0) return null;
  if (Array.isArray(value)) return asText(value[0], depth - 1);
  if (!isRecord(value)) return null;
  return asText(value.text ?? value.name ?? value.value ?? value['@value'], depth - 1);
}

/** The first of the fields that is text or a number, bare, first of a list or in an object, as text. */
export function textOf(fields: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const text = asText(fields.get(name));
    if (text !== null) return text;
  }
  return null;
}

/** The first of the fields that is a number, or text that is one. */
export function numberOf(fields: Fields, ...names: string[]): number | null {
  for (const name of names) {
    const text = textOf(fields, name);
    if (text !== null && /^[-+]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return Number(text);
  }
  return null;
}

/** Texts of a field that may be a list. */
export function textsOf(fields: Fields, ...names: string[]): string[] {
  return names.flatMap((name) => {
    const value = fields.get(name);
    return (Array.isArray(value) ? value.slice(0, MAX_PAIRS) : [value]).flatMap((one) => asText(one) ?? []);
  });
}

/** A yes or no, as a boolean or as its word; null where neither is said. */
export function flagOf(fields: Fields, name: string): boolean | null {
  const value = fields.get(name);
  return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : null;
}

/** Fields of the objects under the names, or of the first of a list of objects. */
export function innerOf(fields: Fields, ...names: string[]): Fields {
  return fieldsOf(
    ...names.map((name) => {
      const value = fields.get(name);
      return Array.isArray(value) ? value[0] : value;
    }),
  );
}
