import { setTimeout as sleep } from 'node:timers/promises';
import { INGEST_TOKEN } from '../../lab/processes.ts';
import type { Pool } from '../../src/base/database.ts';
import type { BodyCounts, ItemStream } from './item-stream.ts';

const listing = `id title price imageUrl images mileage transmission color condition
  location { reverse_geocode { city state } } distance year make model isNew viewed status url createdAt alertIds carId
  priceHistory { price seenAt } offers { id source price url status }`;
const alert =
  'id make model yearMin yearMax location place radius priceMin priceMax isActive createdAt expiresAt daysRemaining matchCount';

/** The queries of the web app for its dashboard and for an alert's page. */
const queries = [
  { query: `query MyAlerts { alerts { ${alert} } }` },
  { query: `query RecentListings { recentListings { ${listing} } }` },
  {
    query: `query AlertPage($id: ID!) { alert(id: $id) { ${alert} color onlyWithImages emailNotifications textNotifications } }`,
    of: 'id',
  },
  {
    query: `query AlertMatches($alertId: ID!, $after: String) {
      matches(alertId: $alertId, first: 20, after: $after) {
        nodes { matchedAt announced distance
          alert { id matchCount model yearMin yearMax priceMin priceMax color radius onlyWithImages }
          listing { ${listing} }
          verdicts { criterion verdict } receipt { listedAt seenAt matchedAt handedOverAt deliveredAt } }
        endCursor liveCursor hasMore } }`,
    of: 'alertId',
  },
];
export const ALERTS_EACH = 10;

interface Buyer {
  cookie: string;
  alertIds: number[];
}

async function graphql(url: string, cookie: string, body: unknown): Promise<{ response: Response; text: string }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"errors"'))
    throw new Error(`${response.status}: ${text.slice(0, 500)}`);
  return { response, text };
}

/** Registers somebody over HTTP. */
export async function signUp(url: string, name: string): Promise<{ userId: number; cookie: string }> {
  const query = `mutation { register(input: {username: "${name}", email: "${name}@example.test", password: "a long password"}) { id } }`;
  const { response, text } = await graphql(url, '', { query });
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return { userId: Number(/"id":"(\d+)"/.exec(text)?.[1]), cookie };
}

/** Their rows have the user of their alert. */
const ownedByAlert = ['alert_cells', 'alert_throttles', 'matches', 'notifications', 'alerts_to_trim'];

/** Signs buyers up over HTTP and gives them ten alerts each, those with the most matches first. */
export async function signUpBuyers(pool: Pool, url: string, count: number): Promise<Buyer[]> {
  const { rows } = await pool.query<{ id: number }>(
    'select alert_id as id from matches group by alert_id order by count(*) desc, alert_id limit $1',
    [count * ALERTS_EACH],
  );
  const buyers: Buyer[] = [];
  for (let at = 0; at < count; at += 1) {
    const { userId, cookie } = await signUp(url, `buyer-${at}`);
    const alertIds = rows.slice(at * ALERTS_EACH, (at + 1) * ALERTS_EACH).map(({ id }) => id);
    await pool.query('update users set plan_id = 4 where id = $1', [userId]);
    await pool.query('update alerts set user_id = $1 where id = any($2::int8[])', [userId, alertIds]);
    for (const table of ownedByAlert)
      await pool.query(`update ${table} set user_id = $1 where alert_id = any($2::int8[])`, [userId, alertIds]);
    buyers.push({ cookie, alertIds });
  }
  return buyers;
}

/** Sends the queries of both pages, one buyer after another, at a fixed rate. @returns the milliseconds of each */
export async function timePages(
  url: string,
  buyers: readonly Buyer[],
  until: number,
  pagesASecond = 10,
): Promise<number[]> {
  const times: number[] = [];
  const asked: Promise<void>[] = [];
  for (let at = 0; performance.now() < until; at += 1) {
    const { query, of } = queries[at % queries.length] ?? {};
    const buyer = buyers[Math.floor(at / queries.length) % buyers.length];
    if (!buyer || !query) break;
    const variables = of === undefined ? {} : { [of]: String(buyer.alertIds[at % ALERTS_EACH]) };
    const start = performance.now();
    asked.push(
      graphql(url, buyer.cookie, { query, variables }).then(() => {
        times.push(performance.now() - start);
      }),
    );
    await sleep(1_000 / pagesASecond);
  }
  await Promise.all(asked);
  return times;
}

export const SOURCE = 'bench';
const POLL_MS = 50;

interface Pushed {
  items: number;
  bodies: number;
  /** Milliseconds from sending to the answer, of each body. */
  answersMs: number[];
  /** Bodies whose answer has other counts than expected. */
  miscounted: number;
}

interface PushOptions {
  url: string;
  stream: ItemStream;
  itemsABody: number;
  /** How many bodies are under way. */
  concurrency: number;
  /** 0 for as many as possible. */
  itemsPerSecond: number;
  /** The end, by performance.now(); the bodies under way are finished. */
  until: number;
}

/** Reads the counts at the start of the answer, without parsing its hundreds of results. */
function countsOf(answer: string): BodyCounts {
  const count = (name: string) => Number(new RegExp(`"${name}":(\\d+)`).exec(answer.slice(0, 300))?.[1] ?? -1);
  return {
    accepted: count('accepted'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    rejected: count('rejected'),
  };
}

/** Pushes bodies over HTTP, as a partner does. @throws when one is refused */
export async function pushBodies(options: PushOptions): Promise<Pushed> {
  const { url, stream, itemsABody, concurrency, itemsPerSecond, until } = options;
  const pushed: Pushed = { items: 0, bodies: 0, answersMs: [], miscounted: 0 };
  const began = performance.now();
  let sent = 0;
  const worker = async () => {
    while (performance.now() < until) {
      const due = itemsPerSecond > 0 ? began + (sent / itemsPerSecond) * 1_000 : 0;
      sent += itemsABody;
      if (due > performance.now()) await sleep(due - performance.now());
      const { text, counts } = stream.next(itemsABody);
      const start = performance.now();
      const response = await fetch(`${url}/api/ingest/${SOURCE}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${INGEST_TOKEN}`, 'content-type': 'application/json' },
        body: text,
      });
      const answer = await response.text();
      if (response.status !== 200) throw new Error(`a push was answered ${response.status}: ${answer.slice(0, 500)}`);
      pushed.answersMs.push(performance.now() - start);
      pushed.items += itemsABody;
      pushed.bodies += 1;
      if (JSON.stringify(countsOf(answer)) !== JSON.stringify(counts)) pushed.miscounted += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return pushed;
}

/** Resolves when no listing waits to be matched. */
export async function untilMatched(pool: Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select from listings_to_match limit 1');
    if (rows.length === 0) return;
    await sleep(POLL_MS);
  }
}
