import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDraws, makeRandom } from '../../lab/random.ts';
import type { Caller } from './calls.ts';
import type { Person } from './people.ts';

const json = { 'content-type': 'application/json' };
const noErrors = (text: string) => text.startsWith('{"data":') && !text.includes('"errors"');
const pageQuery = `{ me { id newCount } alerts { id make model isActive matchCount }
  matches(first: 20) { nodes { alertId distance listing { id url title price } } endCursor hasMore liveCursor } }`;
const saveMutation = 'mutation ($id: ID!, $saved: Boolean!) { saveListing(id: $id, saved: $saved) { id } }';
const pages = ['/', '/', '/auth', '/status', '/api/subscription/plans'] as const;
const restPaths = ['/api/alerts/user', '/api/listings/recent', '/api/user', '/api/subscription/current'] as const;
/** No car of the run is of this make, so that the alerts that are made change no match. */
const otherAlert = { make: 'kia', location: 'Tulsa, OK', radius: 25, emailNotifications: false };
const RETRY_MS = 300;
/** More at once are not sent, so that a run that is too slow says so and does not collapse. */
const MOST = 400;

export interface Requests {
  /** Keys of alerts that were to be made, each until it was acknowledged. */
  created: Set<string>;
  /** Requests that were due and not sent, as too many were under way. */
  notSent(): number;
  ended: Promise<void>;
}

/** Sends so many requests a second as signed-in buyers, programs with keys, and visitors, each kind with its share. */
export function startRequests(
  caller: Caller,
  people: readonly Person[],
  { perSecond, seed, signal }: { perSecond: number; seed: number; signal: AbortSignal },
): Requests {
  const { pick, random } = makeDraws(makeRandom(seed));
  const created = new Set<string>();
  let notSent = 0;

  const graphql = (kind: string, { cookie }: Person, query: string, variables: object = {}) => {
    const body = JSON.stringify({ query, variables });
    return caller.call(kind, { method: 'POST', path: '/graphql', headers: { ...json, cookie }, body }, noErrors);
  };

  async function look(person: Person): Promise<void> {
    const text = await graphql('query', person, pageQuery);
    const id = /"listing":\{"id":"(\d+)"/.exec(text ?? '')?.[1];
    if (id) person.listingId = id;
  }

  async function save(person: Person): Promise<void> {
    const { listingId: id } = person;
    if (id === undefined) return look(person);
    await graphql('mutation', person, saveMutation, { id, saved: random() < 0.5 });
  }

  /** Repeats a call until it is acknowledged; its key makes that safe. */
  async function create({ authorization }: Person): Promise<void> {
    const key = randomUUID();
    created.add(key);
    const headers = { ...json, authorization, 'idempotency-key': key };
    const options = { method: 'POST', path: '/api/alerts', headers, body: JSON.stringify(otherAlert) } as const;
    while ((await caller.call('create', options)) === null) {
      // A request that is refused for good would be refused again.
      if (caller.results.at(-1)?.fault?.startsWith('4')) return;
      await sleep(RETRY_MS);
    }
  }

  /** A page and the script that it names, which the other api may not have during an upgrade. */
  async function visit(): Promise<void> {
    const text = await caller.call('page', { path: pick(pages) });
    const script = /"(\/assets\/index-[^"]+\.js)"/.exec(text ?? '')?.[1];
    if (script) await caller.call('asset', { path: script });
  }

  const acts: readonly (readonly [share: number, act: (person: Person) => Promise<unknown>])[] = [
    [0.35, look],
    [0.15, save],
    [0.03, create],
    [0.22, ({ authorization }) => caller.call('rest', { path: pick(restPaths), headers: { authorization } })],
    [0.15, visit],
    [0.1, ({ cookie }) => caller.call('signed-in page', { path: '/dashboard', headers: { cookie } })],
  ];

  function draw() {
    let left = random();
    for (const [share, act] of acts) {
      left -= share;
      if (left < 0) return act;
    }
    return look;
  }

  async function run(): Promise<void> {
    const underWay = new Set<Promise<unknown>>();
    const began = performance.now();
    for (let sent = 0; !signal.aborted; ) {
      const due = Math.floor(((performance.now() - began) * perSecond) / 1000);
      for (; sent < due; sent += 1) {
        const act = draw();
        const person = pick(people);
        if (caller.underWay() >= MOST) notSent += 1;
        else {
          const done: Promise<unknown> = act(person).finally(() => underWay.delete(done));
          underWay.add(done);
        }
      }
      await sleep(5);
    }
    await Promise.all(underWay);
  }

  return { created, notSent: () => notSent, ended: run() };
}
