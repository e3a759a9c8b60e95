import { silentLog } from '../../src/base/log.ts';
import { postGuarded } from '../../src/vendors/post-guarded.ts';
import { makeDeliverer } from '../../src/webhooks/deliver/deliverer.ts';
import { progress } from '../options.ts';
import type { ThrowAway } from '../rig/throw-away.ts';
import { seal } from './dealers.ts';
import type { Receiver } from './receiver.ts';

const WEBHOOKS = 200;
const MESSAGES = 4_000;
const BARE_AT_ONCE = 200;
const ROUNDS = 3;

/** About what a match is told in. */
const data = { listing: { title: '2018 Toyota Camry', images: [], note: 'x'.repeat(1_400) } };

async function makeMessages({ pool }: ThrowAway, dealers: number): Promise<void> {
  await pool.query(
    `with events as (
       insert into webhook_events (user_id, type, subject, data)
       select n % $2::int + 1, 'bench', n::text, $3::json from generate_series(1, $1::int) n returning id, user_id
     )
     insert into webhook_deliveries (user_id, webhook_id, event_id)
     select e.user_id, w.id, e.id from events e join webhooks w on w.user_id = e.user_id order by e.id`,
    [MESSAGES, Math.min(WEBHOOKS, dealers), data],
  );
}

async function letAllWait({ pool }: ThrowAway): Promise<void> {
  await pool.query('truncate webhook_attempts');
  await pool.query("update webhook_deliveries set status = 'waiting', tries = 0, next_try_at = now()");
  await pool.query('vacuum analyze webhook_deliveries, webhooks');
}

async function deliver({ pool }: ThrowAway): Promise<number> {
  const deliverer = makeDeliverer({
    pool,
    post: postGuarded,
    seal,
    allowPrivateNetwork: true,
    allowHttp: true,
    confirmEmail: false,
    log: silentLog,
    signal: new AbortController().signal,
  });
  const started = performance.now();
  await deliverer.run();
  await deliverer.idle();
  return performance.now() - started;
}

/** Fetch alone, as many at once, to the same server. */
async function postBare({ url }: Receiver): Promise<number> {
  const body = JSON.stringify(data);
  const headers = { 'content-type': 'application/json' };
  let left = MESSAGES;
  const lane = async () => {
    while (left-- > 0) await (await fetch(url, { method: 'POST', body, headers })).text();
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: BARE_AT_ONCE }, lane));
  return performance.now() - started;
}

const perSecond = (times: readonly number[]): number =>
  Math.round((MESSAGES * 1000) / (times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 1));

/** Messages of many webhooks, all due: how many a second are claimed, signed, posted and settled; in turns with fetch. */
export async function measureDeliveries(db: ThrowAway, receiver: Receiver, dealers: number) {
  await makeMessages(db, dealers);
  const [told, bare]: [number[], number[]] = [[], []];
  let lost = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    await letAllWait(db);
    const bareMs = await postBare(receiver);
    await receiver.taken();
    const toldMs = await deliver(db);
    const { posts, ids } = await receiver.taken();
    progress(`${MESSAGES} messages: ${Math.round(toldMs)} ms in ${posts} posts, fetch alone ${Math.round(bareMs)} ms`);
    lost += MESSAGES - ids;
    if (round === 0) continue;
    told.push(toldMs);
    bare.push(bareMs);
  }
  return {
    messages: MESSAGES,
    webhooks: Math.min(WEBHOOKS, dealers),
    messagesPerSecond: perSecond(told),
    lost,
    bare: { what: `fetch alone, ${BARE_AT_ONCE} at once`, postsPerSecond: perSecond(bare) },
    ratio: Number((perSecond(told) / perSecond(bare)).toFixed(2)),
  };
}
