import type { Client } from 'graphql-ws';
import { describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { insertMatches, storeCars } from '../../../test/factories.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';

let ana: Browser;
let anaId: number;
let alertId: number;
let cars: number[];

const api = setUpApi({}, async () => {
  ({ browser: ana, id: anaId } = await api.user('ana'));
  const created = await ana.gql(
    'mutation { createAlert(input: { make: "toyota", location: "Los Angeles, CA", radius: 50 }) { id } }',
  );
  alertId = Number(created.data.createAlert.id);
  cars = await storeCars(
    api.db.pool,
    Array.from({ length: 30 }, () => ({})),
  );
});

const matchAdded = `subscription ($alertId: ID, $after: String) { matchAdded(alertId: $alertId, after: $after) {
  cursor match { distance alert { id matchCount } listing { id title isNew distance alertIds } verdicts { verdict } receipt { seenAt } } } }`;

/** What the subscriptions and queries of this file ask for. */
interface Asked {
  siteChanged: object;
  matchAdded: { cursor: string; match: { alert: { id: string; matchCount: number }; listing: { id: string } } };
  me: { username: string };
}

interface Result {
  data?: Asked;
  errors?: readonly { extensions?: Record<string, unknown> }[];
}

/** The next result of a subscription, or why there is none; `close` leaves. */
function follow(client: Client, query: string, variables: Record<string, unknown> = {}) {
  const results: Result[] = [];
  let failure: unknown;
  let ended = false;
  const close = client.subscribe(
    { query, variables },
    {
      next: (result) => results.push(result as Result),
      error: (error) => {
        failure = error;
      },
      complete: () => {
        ended = true;
      },
    },
  );
  return { results, close, failure: () => failure, ended: () => ended };
}

const firstErrorOf = async (client: Client, query: string, variables: Record<string, unknown> = {}) => {
  const { failure, results } = follow(client, query, variables);
  await expect.poll(() => failure() ?? results[0]?.errors).toBeDefined();
  const problem = failure() ?? results[0]?.errors;
  await client.dispose();
  return problem as { extensions: Record<string, unknown> }[] & { code?: number };
};

it('siteChanged sends the figures at once to a user, and is refused to visitors', async () => {
  const client = ana.socket();
  const query = 'subscription { siteChanged { carsSeenLastHour checkEverySeconds supportEmail } }';
  const { results, close } = follow(client, query);
  await expect.poll(() => results.length).toBe(1);
  const { site } = (await ana.gql('{ site { carsSeenLastHour checkEverySeconds supportEmail } }')).data;
  expect(results[0]?.data?.siteChanged).toEqual(site);
  expect(site.carsSeenLastHour).toBe(30);
  close();
  await client.dispose();
  expect((await firstErrorOf(makeBrowser(api.url).socket(), query)).code).toBe(4401);
});

describe('matchAdded', () => {
  it('sends each new match once, with its alert, listing and verdicts', async () => {
    const client = ana.socket();
    const start = (await ana.gql('{ matches { liveCursor } }')).data.matches.liveCursor;
    const { results, close } = follow(client, matchAdded, { alertId, after: start });
    await insertMatches(api.db.pool, alertId, cars.slice(0, 3));
    await expect.poll(() => results.length).toBe(3);
    expect(results.map(({ data }) => Number(data?.matchAdded.match.listing.id))).toEqual(cars.slice(0, 3));
    expect(results[2]?.data?.matchAdded.match).toMatchObject({
      distance: 12.3,
      alert: { id: String(alertId) },
      listing: { title: '2018 Toyota Camry SE', isNew: true, alertIds: [String(alertId)] },
    });
    expect(results[2]?.data?.matchAdded.match.alert.matchCount).toBe(3);
    close();
    await insertMatches(api.db.pool, alertId, cars.slice(3, 5));
    const again = follow(client, matchAdded, { after: results[2]?.data?.matchAdded.cursor });
    await expect.poll(() => again.results.length).toBe(2);
    expect(again.results.map(({ data }) => Number(data?.matchAdded.match.listing.id))).toEqual(cars.slice(3, 5));
    await client.dispose();
  });

  it('starts with later matches where no cursor is given', async () => {
    const client = ana.socket();
    const { results } = follow(client, matchAdded);
    // The server does not say when the subscription has begun, so matches are added until one arrives.
    const added: number[] = [];
    const addNext = async () => {
      const next = cars.slice(5 + added.length, 6 + added.length);
      await insertMatches(api.db.pool, alertId, next);
      added.push(...next);
      return results.length;
    };
    await expect.poll(addNext, { timeout: 10_000, interval: 500 }).toBeGreaterThan(0);
    expect(added).toContain(Number(results[0]?.data?.matchAdded.match.listing.id));
    await client.dispose();
  });

  it('is refused for another user’s alert', async () => {
    const { browser: bob } = await api.user('bob');
    for (const id of [String(alertId), '424242', 'x']) {
      const problem = await firstErrorOf(bob.socket(), matchAdded, { alertId: id });
      expect(problem[0]?.extensions).toEqual({ code: 'NOT_FOUND', message: 'Alert not found' });
    }
    const cursor = await firstErrorOf(ana.socket(), matchAdded, { after: 'nonsense' });
    expect(cursor[0]?.extensions.code).toBe('VALIDATION');
  });

  it('is refused to visitors', async () => {
    const closed = await firstErrorOf(makeBrowser(api.url).socket(), matchAdded);
    expect(closed.code).toBe(4401);
  });

  it('unsubscribes from the feed as soon as it is closed, even if no match comes', async () => {
    let left = false;
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const fake = await makeTestApi({
      db: api.db,
      feed: {
        subscribe: () => ({
          [Symbol.asyncIterator]: () => ({
            next() {
              begin();
              return new Promise<never>(() => {});
            },
            return() {
              left = true;
              return Promise.resolve({ done: true, value: undefined });
            },
          }),
        }),
      },
    });
    const browser = makeBrowser(fake.url);
    await browser.register('leaver');
    const client = browser.socket();
    const { close } = follow(client, matchAdded);
    await begun;
    expect(left).toBe(false);
    close();
    await expect.poll(() => left).toBe(true);
    await client.dispose();
    await fake.close();
  });
});

describe('a socket', () => {
  const opened = async (browser: Browser) => {
    const client = browser.socket();
    let code: number | undefined;
    client.on('closed', (event) => {
      code = (event as { code: number }).code;
    });
    const connected = new Promise<void>((done) => client.on('connected', () => done()));
    follow(client, matchAdded);
    await connected;
    return { client, code: () => code };
  };

  it('has the same limits and errors as HTTP', async () => {
    const heavy = `{ ${['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
      .map(
        (alias) =>
          `${alias}: matches(first: 100) { nodes { verdicts { asked found verdict criterion } listing { priceHistory { price } alertIds images } } }`,
      )
      .join(' ')} }`;
    for (const [query, code] of [
      [heavy, 'VALIDATION'],
      [`{ ${Array.from({ length: 31 }, (_, n) => `a${n}: me { id }`).join(' ')} }`, 'VALIDATION'],
      [`{ me { ${'id '.repeat(2000)} } }`, 'MALFORMED'],
      ['{ me { ', 'MALFORMED'],
      ['{ nothing }', 'VALIDATION'],
      ['{ sourceHealth { name } }', 'FORBIDDEN'],
      ['mutation { logout }', 'FORBIDDEN'],
    ] as const) {
      const overSocket = await firstErrorOf(ana.socket(), query);
      expect([query.slice(0, 40), overSocket[0]?.extensions.code]).toEqual([query.slice(0, 40), code]);
      if (code !== 'FORBIDDEN') expect((await ana.gql(query)).errors[0]?.extensions.code).toBe(code);
    }
  });

  it('counts its operations against the same rate limit as HTTP', async () => {
    const limited = await makeTestApi({ db: api.db, env: { RATE_LIMITS: 'on', RATE_REQUESTS_PER_USER: '3' } });
    const { browser } = await limited.user('chatty');
    const client = browser.socket();
    const codes: unknown[] = [];
    for (let call = 0; call < 4; call += 1) {
      const { results, failure } = follow(client, '{ me { id } }');
      await expect.poll(() => results.length > 0 || failure() !== undefined).toBe(true);
      codes.push((failure() as Result['errors'])?.[0]?.extensions?.code);
    }
    expect(codes).toEqual([undefined, undefined, undefined, 'RATE_LIMITED']);
    await client.dispose();
    await limited.close();
  });

  it('is refused an operation when its user runs a thousand, on however many sockets', async () => {
    const { browser: greedy } = await api.user('greedy');
    const sockets = Array.from({ length: 21 }, () => greedy.socket());
    const answers = sockets.map((client) => {
      for (let n = 0; n < 48; n += 1) follow(client, 'subscription { matchAdded { cursor } }');
      return follow(client, '{ me { id } }');
    });
    const answered = () => answers.filter(({ results, failure }) => results.length > 0 || failure() !== undefined);
    await expect.poll(() => answered().length, { timeout: 20_000 }).toBe(sockets.length);
    const last = greedy.socket();
    for (let n = 0; n < 48; n += 1) follow(last, 'subscription { matchAdded { cursor } }');
    const refused = await firstErrorOf(last, '{ me { id } }');
    expect(refused[0]?.extensions.code).toBe('RATE_LIMITED');
    await sockets[0]?.dispose();
    const roomAgain = async () => {
      const { results, failure } = follow(greedy.socket(), '{ me { username } }');
      await expect.poll(() => results.length > 0 || failure() !== undefined).toBe(true);
      return results[0]?.data?.me.username;
    };
    await expect.poll(roomAgain).toBe('greedy');
    await Promise.all(sockets.map((client) => client.dispose()));
  }, 30_000);

  it('accepts no message above 64 kB', async () => {
    const { client, code } = await opened(ana);
    follow(client, `{ me { id } } # ${'x'.repeat(70 * 1024)}`);
    await expect.poll(code).toBe(1009);
    await client.dispose();
  });

  it('closes when its session logs out, on every API process, and no other socket does', async () => {
    const neighbour = await makeTestApi({ db: api.db });
    const { browser: leaver } = await api.user('two-tabs');
    const elsewhere = makeBrowser(neighbour.url);
    elsewhere.cookie = leaver.cookie;
    const phone = makeBrowser(api.url);
    await phone.gql('mutation { login(username: "two-tabs", password: "secret-1") { id } }');
    const [here, there, other] = [await opened(leaver), await opened(elsewhere), await opened(phone)];
    await leaver.gql('mutation { logout }');
    await expect.poll(here.code).toBe(4401);
    await expect.poll(there.code).toBe(4401);
    expect(other.code()).toBeUndefined();
    await api.db.pool.query('select pg_notify($1, id::text) from users where username = $2', [
      'lotwatch_sessions',
      'two-tabs',
    ]);
    await expect.poll(other.code).toBe(4401);
    for (const { client } of [here, there, other]) await client.dispose();
    await neighbour.close();
  });

  it('closes when its session has expired', async () => {
    const watchful = await makeTestApi({ db: api.db, checkSocketsEveryMs: 100 });
    const [sleeper, awake] = [makeBrowser(watchful.url), makeBrowser(watchful.url)];
    const id = await sleeper.register('sleeper');
    await awake.register('awake');
    const [ending, staying] = [await opened(sleeper), await opened(awake)];
    await api.db.pool.query("update session set expire = now() where sess ->> 'userId' = $1", [String(id)]);
    await expect.poll(ending.code).toBe(4401);
    expect(staying.code()).toBeUndefined();
    for (const { client } of [ending, staying]) await client.dispose();
    await watchful.close();
  });

  it('can not be opened with the cookie of a session that has logged out', async () => {
    const { browser: leaver } = await api.user('gone');
    const kept = leaver.cookie;
    await leaver.gql('mutation { logout }');
    leaver.cookie = kept;
    expect((await firstErrorOf(leaver.socket(), matchAdded)).code).toBe(4401);
    expect(anaId).toBeGreaterThan(1);
  });
});
