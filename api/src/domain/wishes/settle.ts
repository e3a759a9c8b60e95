import { separators } from './cars.ts';
import type { Part, Refusal, Wish, WishFields } from './wish-fields.ts';
import { excerpt, type WishText } from './wish-text.ts';

/** The parts of a text, in order. */
export interface ReadText {
  text: WishText;
  parts: readonly Part[];
}

type Car = Extract<Part, { kind: 'car' }>;

/** Up to this a number without a unit is a price, from the other on a mileage. Between them nobody can tell. */
const MAX_BARE_PRICE = 45_000;
const MIN_BARE_MILEAGE = 80_000;
/** With a price stated, another number is a mileage from this on. */
const MIN_SECOND_MILEAGE = 20_000;

/** Puts the parts of one or more texts together to one wish. The first value for a field counts. */
export function settle(texts: readonly (ReadText | Wish)[]): Wish {
  const wish: Wish = { fields: {}, understood: [], notUnderstood: [] };
  for (const read of texts) {
    const one = 'parts' in read ? settleText(read) : read;
    for (const { fields, text } of one.understood) add(wish, fields, text);
    wish.notUnderstood.push(...one.notUnderstood);
  }
  return wish;
}

function settleText({ text, parts }: ReadText): Wish {
  const wish: Wish = { fields: {}, understood: [], notUnderstood: [] };
  const told = withoutRivals(withNumbersTold(parts));
  const cars = carsOf(told, text);
  const has = (field: keyof WishFields) =>
    told.some((part) => part.kind === 'value' && part.fields[field] !== undefined);
  for (const part of withUnreadJoined(told, text)) {
    const words = excerpt(text, part.start, part.end);
    if (part.kind === 'value') add(wish, part.fields, words);
    // `gas only, no hybrids` says the same twice.
    if (part.kind === 'refused' && !(part.field && has(part.field))) refuse(wish, words, part.reason);
  }
  addCars(wish, cars, text);
  return wish;
}

/** Joins words that were not understood to phrases, with at most one word between them that asks for nothing. */
function withUnreadJoined(parts: readonly Part[], { words }: WishText): Part[] {
  const joined: Part[] = [];
  const endsBefore = (index: number) => ENDS_PHRASE.test(words[index]?.before ?? '');
  let run: Part | null = null;
  for (const part of parts) {
    if (run && (endsBefore(part.start) || part.start > run.end + 1 || (part.kind !== 'filler' && !isUnread(part))))
      run = null;
    if (isUnread(part)) {
      const isQualified = qualifiers.has(words[part.start - 1]?.text ?? '') && !endsBefore(part.start);
      if (run) run.end = part.end;
      else {
        run = { ...part, start: part.start - (isQualified ? 1 : 0) };
        joined.push(run);
      }
    } else if (part.kind !== 'filler') joined.push(part);
  }
  return joined;
}
/** `one owner`, `good brakes`: such words say something of what follows. */
const qualifiers = new Set('one low good great nice new old no second both all every'.split(' '));

const ENDS_PHRASE = /[;!?]|[,.]\s/;
const isUnread = (part: Part) => part.kind === 'refused' && part.reason === 'unread';

/** Adds fields that have no value yet; another value for a field is said as not understood. */
function add(wish: Wish, fields: WishFields, text: string): void {
  if (fields.models) {
    addModels(wish, fields, text);
    return;
  }
  const fresh: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields) as [keyof WishFields, unknown][]) {
    const known = wish.fields[field];
    if (Array.isArray(known) && Array.isArray(value)) {
      const more = value.filter((word) => !(known as unknown[]).includes(word));
      if (more.length > 0) fresh[field] = more;
      Object.assign(wish.fields, { [field]: [...known, ...more] });
    } else if (value === undefined) continue;
    else if (known === undefined) {
      if (crosses(wish.fields, field, value)) refuse(wish, text, 'second value');
      else {
        fresh[field] = value;
        Object.assign(wish.fields, { [field]: value });
      }
    } else if (JSON.stringify(known) !== JSON.stringify(value)) refuse(wish, text, 'second value');
  }
  if (Object.keys(fresh).length > 0) wish.understood.push({ fields: fresh, text });
}

/** Models of several makes have no common make. */
function addModels(wish: Wish, fields: WishFields, text: string): void {
  const { models, make } = wish.fields;
  const more = (fields.models ?? []).filter((model) => !models?.includes(model));
  if (more.length === 0) return;
  if (models === undefined && make !== undefined && make !== fields.make) {
    refuse(wish, text, 'second value');
    return;
  }
  if (models === undefined || make === fields.make) {
    wish.fields.make = fields.make;
    wish.fields.models = [...(models ?? []), ...more];
  } else {
    const known = make === undefined ? models : models.map((model) => `${make}/${model}`);
    wish.fields.models = [...known, ...more.map((model) => `${fields.make}/${model}`)];
    delete wish.fields.make;
  }
  wish.understood.push({ fields, text });
}

/** Whether a bound would be on the wrong side of the other one. */
function crosses(fields: WishFields, field: keyof WishFields, value: unknown): boolean {
  const over = (min: number | undefined, max: number | undefined) =>
    min !== undefined && max !== undefined && min > max;
  const next = { ...fields, [field]: value };
  return over(next.priceMin, next.priceMax) || over(next.yearMin, next.yearMax);
}

function refuse(wish: Wish, text: string, reason: Refusal): void {
  if (text === '' || wish.notUnderstood.some((other) => other.text === text)) return;
  wish.notUnderstood.push({ text, reason });
}

/** Tells of each number without a unit whether it is a price or a mileage, as far as that can be told. */
function withNumbersTold(parts: readonly Part[]): Part[] {
  const has = (field: keyof WishFields) =>
    parts.some((part) => part.kind === 'value' && part.fields[field] !== undefined);
  const bare = parts.filter((part) => part.kind === 'bare');
  const maxima = bare.flatMap(({ max }) => max ?? []);
  let hasPrice = has('priceMax') || has('priceMin');
  const hasMileage = has('mileageMax');
  if (maxima.length > 1 && !hasPrice && Math.min(...maxima) <= MAX_BARE_PRICE) hasPrice = true;
  const cheapest = Math.min(...maxima);
  return parts.map((part): Part => {
    if (part.kind !== 'bare') return part;
    const { start, end, min, max } = part;
    const value = max ?? min ?? 0;
    const isCheapest = maxima.length > 1 && max === cheapest && !has('priceMax') && !has('priceMin');
    const isPrice = value <= MAX_BARE_PRICE ? isCheapest || !hasPrice : hasMileage && !hasPrice;
    if (isPrice) return { start, end, kind: 'value', fields: { priceMin: min, priceMax: max } };
    const isMileage = value >= (hasPrice ? MIN_SECOND_MILEAGE : MIN_BARE_MILEAGE) && !hasMileage;
    if (!isMileage) return { start, end, kind: 'refused', reason: 'unclear' };
    if (max === undefined || min !== undefined) return { start, end, kind: 'refused', reason: 'no minimum' };
    return { start, end, kind: 'value', fields: { mileageMax: max } };
  });
}

/** An uncertain value, as a name that may be a place, counts only if no other part has one. */
function withoutRivals(parts: readonly Part[]): Part[] {
  const isCertain = (field: string) =>
    parts.some((part) => part.kind === 'value' && !part.isUncertain && Object.hasOwn(part.fields, field));
  return parts.map((part): Part => {
    if (part.kind !== 'value' || !part.isUncertain || !Object.keys(part.fields).some(isCertain)) return part;
    return { start: part.start, end: part.end, kind: 'refused', reason: 'unread' };
  });
}

/** The cars of a wish. A name that is also an ordinary word counts if no other car is named, or if it stands in a list. */
function carsOf(parts: Part[], { words }: WishText): Car[] {
  const cars = parts.filter((part) => part.kind === 'car');
  const certain = cars.filter(({ isWeak }) => !isWeak);
  const counted = new Set(certain.length > 0 ? certain : cars);
  const follows = (a: Car, b: Car) =>
    a.end <= b.start && words.slice(a.end, b.start).every(({ text }) => separators.has(text));
  const isBeside = (a: Car, b: Car) => follows(a, b) || follows(b, a);
  // A loop over a set goes on with what is added to it, so that a whole list is counted.
  for (const car of counted) for (const other of cars) if (isBeside(car, other)) counted.add(other);
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'car' && !counted.has(part))
      parts[index] = { start: part.start, end: part.end, kind: 'refused', reason: 'unread' };
  }
  return cars.filter((car) => counted.has(car));
}

function addCars(wish: Wish, cars: readonly Car[], text: WishText): void {
  const models: Car[] = [];
  for (const car of cars) {
    const isNamed = models.some((known) => known.make === car.make && known.model === car.model);
    if (car.model !== null && !isNamed) models.push(car);
  }
  const bare = cars.filter((car) => car.model === null && !models.some(({ make }) => make === car.make));
  const first = models[0] ?? bare[0];
  if (!first) return;
  const rest = wish.understood.splice(0);
  const areSeveral = models.length === 0 && new Set(bare.map(({ make }) => make)).size > 1;
  if (models.length === 0 && !areSeveral) add(wish, { make: first.make }, excerpt(text, first.start, first.end));
  for (const { make, model, start, end } of models)
    addModels(wish, { make, models: [model ?? ''] }, excerpt(text, start, end));
  wish.understood.push(...rest);
  for (const car of bare)
    if (models.length > 0 || areSeveral)
      refuse(wish, excerpt(text, car.start, car.end), areSeveral ? 'one make' : 'second value');
}
