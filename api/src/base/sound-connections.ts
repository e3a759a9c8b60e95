import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isServerAway } from './database-fault.ts';
import { partsOf } from './writable-server.ts';

/** How long whoever needs a connection waits for a server that is away. */
const WAIT_MS = 2_000;
/** How often a pool asks meanwhile, once for all that wait. */
const RETRY_MS = 50;
/** More than these fail at once, as each holds a request. */
const MAX_WAITING = 500;
/** How long a connection in doubt may take to answer. */
const PROOF_MS = 2_000;
/** A connection that was in use this recently is known to be open; a pool in full use hands all of its over at once. */
const JUST_USED_MS = 1;

/** When this process last lost a connection to a database. Every other one is in doubt until it has answered since. */
let lostAt = Number.NEGATIVE_INFINITY;

type Connect = () => Promise<pg.PoolClient>;
type Callback = Parameters<pg.Pool['connect']>[0];

/** Runs one try at a time, and again for as long as somebody waits for its success. */
function makeTries(connect: Connect) {
  let running: Promise<unknown> | undefined;
  let waiting = 0;

  const tryOnce = async () => {
    await sleep(RETRY_MS);
    const client = await connect();
    client.release();
  };
  const nextTry = () => {
    running ??= tryOnce()
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return {
    areRunning: () => waiting > 0,
    /** @throws the error of the last try before `giveUpAt`, and `error` where too many wait */
    async untilBack(giveUpAt: number, error: unknown): Promise<void> {
      if (waiting >= MAX_WAITING) throw error;
      waiting += 1;
      try {
        for (let failure: unknown = error; failure !== undefined; failure = await nextTry())
          if (!isServerAway(failure) || performance.now() > giveUpAt) throw failure;
      } finally {
        waiting -= 1;
      }
    },
  };
}

const away = (): Error => Object.assign(new Error('The database server is away.'), { code: '57P03' });

/**
 * Makes a pool hand out only connections that the server has not closed, as far as can be known before something is sent, and
 * wait a short time for a server that is away. Nothing has been done for the caller until then, so that trying again is safe
 * in any case; what fails later is never repeated.
 */
export function handOutSoundConnections(pool: pg.Pool, waitMs = WAIT_MS): void {
  const connect: Connect = pool.connect.bind(pool);
  const provenAt = new WeakMap<pg.PoolClient, number>();
  const usedAt = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) => {
    provenAt.set(client, performance.now());
    // Closed by the server, or on the way to it.
    client.on('error', () => {
      lostAt = performance.now();
    });
  });
  pool.on('release', (_error, client) => usedAt.set(client, performance.now()));

  async function isSound(client: pg.PoolClient): Promise<boolean> {
    let isLost = false;
    const lose = () => {
      isLost = true;
    };
    client.once('error', lose);
    try {
      const idleSince = usedAt.get(client);
      // The server may have closed it since sockets were last read. They are read between this turn's end and the next one's.
      if (idleSince !== undefined && performance.now() - idleSince > JUST_USED_MS) {
        await nextTurn();
        await nextTurn();
      }
      const { stream } = partsOf(client).connection;
      // The client notices the end of the stream some turns later.
      if (isLost || stream.destroyed || stream.readableEnded) return false;
      const from = performance.now();
      if ((provenAt.get(client) ?? Number.NEGATIVE_INFINITY) >= lostAt) return true;
      await client.query({ text: 'select 1', query_timeout: PROOF_MS } as pg.QueryConfig);
      provenAt.set(client, from);
      return true;
    } catch {
      return false;
    } finally {
      client.removeListener('error', lose);
    }
  }

  async function connectSoundly(): Promise<pg.PoolClient> {
    const giveUpAt = performance.now() + waitMs;
    for (;;) {
      const client = await connect();
      if (await isSound(client)) return client;
      client.release(true);
      if (performance.now() > giveUpAt) throw away();
    }
  }

  const tries = makeTries(connectSoundly);
  async function checkOut(): Promise<pg.PoolClient> {
    const giveUpAt = performance.now() + waitMs;
    if (tries.areRunning()) await tries.untilBack(giveUpAt, away());
    for (;;) {
      try {
        return await connectSoundly();
      } catch (error) {
        await tries.untilBack(giveUpAt, error);
      }
    }
  }

  const handOut = (callback?: Callback) => {
    const taken = checkOut();
    if (!callback) return taken;
    taken.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  };
  pool.connect = handOut as pg.Pool['connect'];
}
