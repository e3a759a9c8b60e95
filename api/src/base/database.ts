import pg from 'pg';

const INT8 = 20;

/** Reads int8 as number: ids stay below 2^53. The search keys of matching do not, and are never read back. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

export type Pool = pg.Pool;
export type Client = pg.PoolClient;
/** What runs one statement: a pool, or a client inside a transaction. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** A pool for the statements that are written by hand; entities go through the ORM's own. */
export function makePool(databaseUrl: string, max = 10, name = 'lotwatch'): Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    types,
    application_name: name,
    keepAlive: true,
  });
  // A server that goes away fails idle clients; the next query opens a new one.
  pool.on('error', () => {});
  // One that is lost between two statements of a transaction must not end the process: the next statement fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Runs `work` in one transaction on one client; any error rolls it back and is thrown on. */
export async function inTransaction<T>(pool: Pool, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
