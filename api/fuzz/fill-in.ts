import type { Draft } from './drafts.ts';
import type { Mutation } from './mutations.ts';
import type { Person, World } from './people.ts';
import { inAddress, type Request } from './send.ts';

type Fields = Record<string, unknown>;

const cars = [
  { make: 'toyota', model: 'camry' },
  { make: 'honda', model: 'accord' },
  { make: 'ford', model: '' },
  { make: 'tesla', model: null },
];
const places = ['Los Angeles, CA', '10001', 'Austin', 'St. Louis MO', 'San Francisco Bay Area'];
/** An unknown cursor is sent in one of so many requests. */
const RARE = 8;
const of = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fixes what a schema can't state: the models of a make, the passwords of people, and that a minimum is below its maximum. */
function known(body: Fields, { operation, pick }: Draft, person: Person | undefined): Fields {
  const filled = { ...body };
  const car = of(cars, pick);
  if ('make' in filled && filled.make) Object.assign(filled, car);
  else if ('model' in filled) delete filled.model;
  if (filled.location) filled.location = of(places, pick);
  for (const bound of ['year', 'price']) {
    const [min, max] = [filled[`${bound}Min`], filled[`${bound}Max`]];
    if (typeof min === 'number' && typeof max === 'number' && min > max) filled[`${bound}Max`] = min;
  }
  if (operation.path.endsWith('/login') && person)
    return { ...filled, username: person.username, password: person.password };
  if ('currentPassword' in filled && person) filled.currentPassword = person.password;
  // Names are unique, and invisible ones are refused.
  if (operation.path.endsWith('/register')) filled.username = `person-${pick}`;
  return filled;
}

function idFor({ operation, pick, mutation }: Draft, world: World, person: Person | undefined): string {
  const { path, method } = operation;
  if (path.includes('deletion-requests')) return of(world.pending, pick) ?? 'DR-222222';
  if (path.includes('execute-deletion')) return String(of(world.approved, pick) ?? 1);
  if (path.includes('listings')) return String(of(world.cars, pick));
  const [first, ...others] = person?.alerts ?? [];
  // The first one has the matches.
  if (method === 'GET' && !mutation) return String(of([first, ...others], pick));
  return String(of(others, pick) ?? (method === 'DELETE' || mutation ? 'none' : first));
}

/** Applies a mutation to the fields of a body. */
function mutated(body: Fields, mutation: Mutation | null): Fields {
  const names = Object.keys(body);
  if (mutation?.kind === 'field' && names.length > 0)
    return { ...body, [of(names, mutation.which) ?? '']: mutation.value };
  if (mutation?.kind === 'extra') return { ...body, [mutation.name]: mutation.value };
  if (mutation?.kind === 'large') return { ...body, [names[0] ?? 'a']: 'x'.repeat(mutation.bytes) };
  if (mutation?.kind !== 'drop') return body;
  const { [of(names, mutation.which) ?? '']: _dropped, ...rest } = body;
  return rest;
}

function queryText(draft: Draft, person: Person | undefined): string {
  const { query, mutation } = draft;
  const given = Object.entries(query)
    // A valid cursor comes only from an answer.
    .filter(([name]) => name !== 'after' || draft.pick % RARE === 0)
    .map(([name, value]): [string, unknown] =>
      name === 'alertId' ? [name, of(person?.alerts ?? [], draft.pick) ?? value] : [name, value],
    );
  if (mutation?.kind === 'query') {
    const [name = 'shoe'] = given[mutation.text.length % Math.max(1, given.length)] ?? [];
    given.push([name, mutation.text]);
    if (mutation.text.length % 2) given.shift();
  }
  return given.map(([name, value]) => `${inAddress(name)}=${inAddress(String(value))}`).join('&');
}

/** Completes a draft to the request that is sent. */
export function fillIn(draft: Draft, world: World): Request {
  const { operation, role, mutation } = draft;
  const person = role === 'visitor' ? (draft.pick % 4 ? world.people.user : undefined) : world.people[role];
  const id = mutation?.kind === 'id' && mutation.text ? inAddress(mutation.text) : idFor(draft, world, person);
  const query = queryText(draft, person);
  const headers: Record<string, string> = role === 'visitor' ? {} : { cookie: world.people[role].cookie };
  let body: string | undefined;
  if (isFields(draft.body)) {
    body = JSON.stringify(mutated(known(draft.body, draft, person), mutation));
    headers['content-type'] = 'application/json';
  }
  if (mutation?.kind === 'body' && operation.method !== 'GET') {
    body = mutation.text;
    headers['content-type'] = 'application/json';
  }
  if (mutation?.kind === 'header') headers[mutation.name] = mutation.value;
  return {
    method: mutation?.kind === 'method' ? mutation.method : operation.method,
    path: operation.path.replaceAll(/\{\w+\}/g, () => id) + (query && `?${query}`),
    headers,
    body,
  };
}
