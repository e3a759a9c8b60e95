import { beforeAll, expect, it } from 'vitest';
import type { Client, Pool, Queryable } from '../base/database.ts';
import { runWhereRowsAre } from './distributed-pool.ts';
import { learnShards } from './user-shards.ts';

interface Sent {
  text: string;
  values: unknown[];
}

// Two shards: the first has users 1, 7 and 8, the second 2, 6 and 9.
beforeAll(() => learnShards({ query: async () => ({ rows: [{ shards: 2 }] }) } as unknown as Queryable));

interface Warning {
  code: string;
  message: string;
}

/** A client of a pool that runs statements where their rows are. It keeps what arrives, and answers the calls of shards. */
function recordingClient(answers: readonly object[] = [], warning?: Warning, failure?: Error) {
  const sent: Sent[] = [];
  let noticed: (notice: Warning) => void = () => {};
  const query = async (given: string | Sent, values: unknown[] = []) => {
    const one = typeof given === 'string' ? { text: given, values } : given;
    sent.push({ text: one.text, values: one.values ?? values });
    if (warning && one.text === 'commit') noticed(warning);
    if (one.text === 'commit' && failure) throw failure;
    if (one.text.includes('recover_prepared_transactions')) return { rows: [{ count: 1 }] };
    return { rows: one.text.includes('run_on_shard') ? answers.map((answer) => ({ answer })) : [] };
  };
  const on = (_: string, listener: typeof noticed) => {
    noticed = listener;
  };
  const client = { query, on } as unknown as Client;
  const pool = {
    query,
    options: {},
    on: (_: string, acquire: (client: Client) => void) => acquire(client),
  } as unknown as Pool;
  runWhereRowsAre(pool);
  return { client, sent };
}

it('a statement that is not in the list goes to the coordinator as it is', async () => {
  const { client, sent } = recordingClient();
  await client.query({ name: 'load-alerts', text: 'select 1', values: [] });
  await client.query('select 2');
  expect(sent.map(({ text }) => text)).toEqual(['select 1', 'select 2']);
});

it('a commit that leaves something in doubt on a server is answered when that is decided', async () => {
  const texts = async (warning?: Warning) => {
    const { client, sent } = recordingClient([], warning);
    for (const text of ['begin', 'select 1', 'commit']) await client.query(text);
    return sent.map(({ text }) => text.trim().split('\n')[0]);
  };
  const committed = ['begin', 'select 1', 'commit'];
  const decided = [...committed, 'select recover_prepared_transactions() as count'];
  expect(await texts({ code: '08006', message: 'connection to the remote node failed' })).toEqual(decided);
  expect(await texts({ code: '01000', message: 'failed to commit transaction on 10.0.0.6:5432' })).toEqual(decided);
  expect(await texts({ code: '25P01', message: 'there is no transaction in progress' })).toEqual(committed);
  expect(await texts()).toEqual(committed);
});

it('a commit that fails as the only server was lost says that it may have been done', async () => {
  const failed = async (warning?: Warning) => {
    const { client } = recordingClient([], warning, Object.assign(new Error('could not commit'), { code: 'XX000' }));
    return client.query('commit').catch((error: Error) => error);
  };
  const lost = { code: '01000', message: 'failed to commit transaction on 10.0.0.6:5432' };
  expect(await failed(lost)).toMatchObject({ code: '08007' });
  expect(await failed()).toMatchObject({ code: 'XX000' });
});

it('one that changes rows is called on the shards of its users, and prepares the change of each server', async () => {
  const { client, sent } = recordingClient([{ changed: 1 }]);
  const text = 'update notifications set due_at = now() where id = any($1) and user_id = any($2)';
  const { rowCount } = await client.query({ name: 'notify-defer-pairs', text, values: [[4, 5], [7]] });
  const call = sent.find(({ text }) => text.includes('run_on_shard'));
  expect(call?.text).toContain('from shards_here where user_id = $4');
  expect(call?.values).toEqual(['notify-defer-pairs', `${text} returning 1 as changed`, ['{"4","5"}', '{"7"}'], 1]);
  expect(sent).toContainEqual({ text: 'delete from shards_here where user_id = $1 and shard_id < 0', values: [1] });
  expect(rowCount).toBe(1);
});

it('one about users of several shards runs on these, and prepares the change of each', async () => {
  const { client, sent } = recordingClient();
  const text = 'update notifications set due_at = now() where id = any($1) and user_id = any($2)';
  await client.query({
    name: 'notify-defer-pairs',
    text,
    values: [
      [4, 5],
      [7, 9, 8],
    ],
  });
  expect(sent.map(({ values }) => values.at(-1))).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

it('one that makes rows of lists runs once for each shard, with the entries of its users', async () => {
  const { client, sent } = recordingClient();
  const values = [
    [11, 12, 13],
    [{ since: 1 }, { since: 2 }, { since: 3 }],
    [7, 9, 8],
  ];
  await client.query({ name: 'notify-sent-since', text: 'select $1', values });
  const calls = sent.map((one) => [one.values[2], one.values[3]]);
  expect(calls).toEqual([
    [['{"11","13"}', expect.anything(), '{"7","8"}'], 1],
    [['{"12"}', expect.anything(), '{"9"}'], 2],
  ]);
});

it('each shard claims an equal part of what a process has room for', async () => {
  const { client, sent } = recordingClient();
  const ask = (name: string, values: unknown[]) => client.query({ name, text: 'select $1', values });
  await ask('pushes-claim-retries', [[], 7, 'now']);
  await ask('webhooks-claim', [[11], 7, 'now', [9]]);
  await ask('webhooks-claim', [[11, 12], 7, 'now', [9, 7]]);
  const limits = sent.flatMap(({ text, values }) =>
    text.includes('run_on_shard') ? [(values[2] as string[])[1]] : [],
  );
  expect(limits).toEqual(['4', '7', '4']);
});

it('a scan goes on from the least place of all shards, in one order, and times are times', async () => {
  const placed = recordingClient([
    { place: '2026-11-27 12:00:00.5+00', alertId: 1 },
    { place: '2026-11-27 12:00:00+00', alertId: null },
  ]);
  const due = await placed.client.query({ name: 'notify-due-alerts', text: 'select 1', values: [] });
  expect(due.rows.map(({ place }) => place)).toEqual(['2026-11-27 12:00:00+00', '2026-11-27 12:00:00+00']);
  const unordered = [{ dueOrder: 3 }, { dueOrder: 1 }, { dueOrder: 2 }].map((row) => ({ ...row, place: 'now' }));
  const ordered = await recordingClient(unordered).client.query({
    name: 'notify-due-alerts',
    text: 'select 1',
    values: [],
  });
  expect(ordered.rows.map(({ dueOrder }) => dueOrder)).toEqual([1, 2, 3]);
  const read = recordingClient([{ savedAt: '2026-11-27T12:00:00+00:00', id: 1 }]);
  const saved = await read.client.query({ name: 'read-saved-listings', text: 'select 1', values: [7] });
  expect(saved.rows).toEqual([{ savedAt: new Date('2026-11-27T12:00:00Z'), id: 1 }]);
});

it('whoever listens at the coordinator is notified there, and what only the coordinator knows is asked there', async () => {
  const { client, sent } = recordingClient([{ id: 'a', place: 'now' }]);
  const text = `update mails set status = 'sending' where (select require_sendable('email')) returning pg_notify('work', 'send')`;
  await client.query({ name: 'notify-claim-enqueued', text, values: [] });
  const call = sent.find((one) => one.text.includes('run_on_shard'));
  expect(call?.values[1]).not.toMatch(/require_sendable|pg_notify/);
  expect(sent.filter(({ values }) => values[0] === 'email')).toMatchObject([{ text: 'select require_sendable($1)' }]);
  expect(sent.at(-1)).toEqual({ text: 'select pg_notify($1, $2)', values: ['work', 'send'] });
});

it('the error of a statement is told, and not that of what is sent with it', async () => {
  const query = async ({ text }: Sent) => {
    throw new Error(text.includes('run_on_shard') ? 'duplicate key' : 'transaction is aborted');
  };
  const client = { query, on: () => {} } as unknown as Client;
  const pool = {
    query,
    options: {},
    on: (_: string, acquire: (client: Client) => void) => acquire(client),
  } as unknown as Pool;
  runWhereRowsAre(pool);
  const sent = client.query({ name: 'match-alerts-clear', text: 'update alerts', values: [[1], [], [7]] });
  await expect(sent).rejects.toThrow('duplicate key');
});

const turns = [
  'set local citus.all_modifications_commutative = off; set local idle_in_transaction_session_timeout = 4000',
  'set local citus.all_modifications_commutative = on',
];

it('writers of a copied table follow one another, in their transactions', async () => {
  const { client, sent } = recordingClient();
  await client.query('update "users" set plan_id = 2 where id = $1', [7]);
  await client.query('select id from users for update');
  await client.query('insert into webhooks (user_id) values ($1)', [7]);
  expect(sent.map(({ text }) => text)).toEqual([
    turns[0],
    'update "users" set plan_id = 2 where id = $1',
    turns[1],
    'select id from users for update',
    'insert into webhooks (user_id) values ($1)',
  ]);
});

it('a writer that is stopped in the middle lets the others have their turn, as its whole transaction was sent', async () => {
  const sent: string[] = [];
  const client = {
    query(text: string) {
      sent.push(text);
      return new Promise(() => {});
    },
    connection: { stream: { cork() {}, uncork() {} } },
    on() {},
  };
  const pool = {
    query: client.query,
    connect: async () => client,
    options: {},
    on: (_: string, acquire: (client: object) => void) => acquire(client),
  } as unknown as Pool;
  runWhereRowsAre(pool);
  void pool.query('update sources set next_poll_at = now()');
  await expect.poll(() => sent).toContain('update sources set next_poll_at = now()');
  expect(sent).toEqual(['begin', turns[0], 'update sources set next_poll_at = now()', turns[1], 'commit']);
});

/** A pool that fails where the second shard is asked, whose server is away. */
function poolWithoutSecondShard(code: string): Pool {
  const query = async ({ values }: { values: unknown[] }) => {
    if ([values[3]].flat().includes(2))
      throw Object.assign(new Error('connection to the remote node failed'), { code });
    return { rows: [{ answer: { userId: 7 } }] };
  };
  const pool = { query, options: {}, on: () => {} } as unknown as Pool;
  runWhereRowsAre(pool);
  return pool;
}

const touched: Sent & { name: string } = { name: 'live-touched', text: 'select 1', values: [[1], [], ['9'], [7, 9]] };
const readOn: typeof touched = {
  name: 'live-read-on',
  text: 'select 1',
  values: [[7, 9], [], [], [], [], [], 40, [0, 1]],
};

it.each([touched, readOn])('$name is read where servers answer while another is away', async (statement) => {
  expect((await poolWithoutSecondShard('08006').query(statement)).rows).toEqual([{ userId: 7 }]);
});

it.each([touched, readOn])(
  '$name fails with any other error of a server, and where none answers',
  async (statement) => {
    await expect(poolWithoutSecondShard('42601').query(statement)).rejects.toMatchObject({ code: '42601' });
    const values = statement.values.map((value) => (Array.isArray(value) ? value.slice(1) : value));
    await expect(poolWithoutSecondShard('08006').query({ ...statement, values })).rejects.toMatchObject({
      code: '08006',
    });
  },
);

it('a statement that is not repeated fails while a server is away', async () => {
  const counts = { name: 'load-new-counts', text: 'select 1', values: [[1], [7, 9]] };
  await expect(poolWithoutSecondShard('08006').query(counts)).rejects.toMatchObject({ code: '08006' });
});

it('keeps sessions that have nothing to do, as each has connections to all servers', () => {
  const pool = { query: async () => ({ rows: [] }), options: { idleTimeoutMillis: 10_000 }, on: () => {} };
  runWhereRowsAre(pool as unknown as Pool);
  expect(pool.options.idleTimeoutMillis).toBe(600_000);
});
