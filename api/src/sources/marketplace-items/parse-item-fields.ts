/** The fields of a record under one spelling: `is_sold` and `isSold` are both `issold`. */
export type Fields = ReadonlyMap<string, unknown>;

const none: Fields = new Map();
const MAX_DEPTH = 3;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const spelling = (name: string) => name.toLowerCase().replaceAll('_', '');

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

/** The record itself, where it lies under `listing`, `node` or an offer. */
export function unwrapped(raw: Record<string, unknown>, depth = MAX_DEPTH): Record<string, unknown> {
  const inner = raw.listing ?? raw.node ?? (isRecord(raw.makesOffer) ? offered(raw.makesOffer) : undefined);
  return depth > 0 && isRecord(inner) ? unwrapped(inner, depth - 1) : raw;
}

function offered(offer: Record<string, unknown>): unknown {
  return isRecord(offer.itemOffered) ? { ...offer.itemOffered, offers: offer } : undefined;
}

/** The first of the fields that is text or a number, as text. */
export function textOf(fields: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const value = fields.get(name);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
    const inner = isRecord(value) ? (value.text ?? value.name) : undefined;
    if (typeof inner === 'string' && inner.trim() !== '') return inner.trim();
  }
  return null;
}

/** The first of the fields that is a number, or text that is one. */
export function numberOf(fields: Fields, ...names: string[]): number | null {
  for (const name of names) {
    const value = fields.get(name);
    const number = typeof value === 'string' && /^\s*-?[\d.]+\s*$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
  }
  return null;
}

export function flagOf(fields: Fields, name: string): boolean | null {
  const value = fields.get(name);
  return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : null;
}

/** Fields of the object under a name. */
export function innerOf(fields: Fields, ...names: string[]): Fields {
  return fieldsOf(...names.map((name) => fields.get(name)));
}
