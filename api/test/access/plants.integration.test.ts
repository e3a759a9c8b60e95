import type { GraphQLSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionRestriction } from '../../src/domain/session-restriction.ts';
import { type Context, makeContext } from '../../src/graphql/context.ts';
import { makeSchema } from '../../src/graphql/make-schema.ts';
import { type Operation, type OperationKind, operations } from '../../src/policies/operations.ts';
import { makeTestApi, type TestApiOptions } from '../make-app.ts';
import { type AccessWorld, accessOptions, cellsOf, makeAccessWorld, wrongCells } from './matrix.ts';

/** A check that is left out. */
interface Plant {
  what: string;
  /** Which operations then answer wrongly. */
  hits: readonly string[];
  /** What the LotWatch is made with that lacks it. */
  options?(): TestApiOptions;
  /** Plants it elsewhere. @returns what takes it out again */
  put?(world: AccessWorld): Promise<() => unknown> | (() => unknown);
}

type Args = Record<string, string>;
type Resolve = (args: Args, context: Context) => unknown;

/** The schema with another resolver for a field. */
function resolving(name: string, make: (resolve: Resolve) => Resolve): GraphQLSchema {
  const schema = makeSchema();
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    const field = type?.getFields()[name];
    if (!field?.resolve) continue;
    const { resolve } = field;
    field.resolve = (source, args, context, info) =>
      make((given, whose) => resolve(source, given, whose, info))(args, context as Context);
  }
  return schema;
}

const owners: Readonly<Record<string, string>> = {
  alert: 'select user_id as id from alerts where id = $1',
  webhook: 'select user_id as id from webhooks where id = $1',
  key: 'select user_id as id from api_keys where id = $1',
  session: `select (sess ->> 'userId')::int8 as id from session where id = $1`,
  checkout: 'select user_id as id from billing_checkouts where session_id = $1',
};

/** An operation that does not ask whose the thing is: it acts as its owner, whoever calls. */
const withoutOwner = (operation: string, thing: string, argument: string): Plant => ({
  what: `${operation} of another's ${thing}`,
  hits: [operation],
  options: () => ({
    schema: resolving(operation, (resolve) => async (args, context) => {
      const { rows } = await context.parts.pool.query<{ id: number }>(owners[thing] ?? '', [args[argument]]);
      const { viewer } = context;
      if (!viewer || !rows[0]) return resolve(args, context);
      return resolve(args, makeContext(context.parts, { ...context, viewer: { ...viewer, id: rows[0].id } }));
    }),
  }),
});

/** A row of the table that asks too little. */
const withRow = (what: string, kind: OperationKind, name: string, lax: Partial<Operation>): Plant => ({
  what,
  hits: [name],
  put() {
    const row = operations[kind][name] as Operation;
    const before = { ...row };
    Object.assign(row, lax);
    return () => {
      for (const key of Object.keys(row)) delete (row as unknown as Record<string, unknown>)[key];
      Object.assign(row, before);
    };
  },
});

const withResolver = (what: string, name: string, make: (resolve: Resolve) => Resolve): Plant => ({
  what,
  hits: [name],
  options: () => ({ schema: resolving(name, make) }),
});

const plants: readonly Plant[] = [
  withoutOwner('alert', 'alert', 'id'),
  withoutOwner('updateAlert', 'alert', 'id'),
  withoutOwner('deleteAlert', 'alert', 'id'),
  withoutOwner('matches', 'alert', 'alertId'),
  withoutOwner('deleteWebhook', 'webhook', 'id'),
  withoutOwner('revokeApiKey', 'key', 'id'),
  withoutOwner('endSession', 'session', 'id'),
  withoutOwner('checkoutSession', 'checkout', 'sessionId'),
  withResolver(
    'a listing without a match of one’s own',
    'listing',
    () =>
      (args, { loaders }) =>
        loaders.listings.load(Number(args.id)),
  ),
  withResolver('everybody’s listings among the recent ones', 'recentListings', () => async (_args, context) => {
    const { rows } = await context.parts.pool.query<{ id: number }>('select id from listings');
    return Promise.all(rows.map(({ id }) => context.loaders.listings.load(id)));
  }),
  withResolver('webhooks on every plan', 'webhooks', () => async (_args, { parts, viewer }) => {
    const { rows } = await parts.pool.query(
      `select id, url, events, description, state, created_at as "createdAt", 0 as waiting from webhooks where user_id = $1`,
      [viewer?.id],
    );
    return rows;
  }),
  withResolver('a change that reaches other people’s rows', 'renewAlert', (resolve) => async (args, context) => {
    await context.parts.pool.query('update alerts set reminded_at = now()');
    return resolve(args, context);
  }),
  withRow('deletion requests for every user', 'query', 'deletionRequests', { access: 'user' }),
  withRow('a change for keys that may read', 'mutation', 'updateAlert', {
    keys: operations.query.alert?.keys ?? 'never',
  }),
  withRow('an export for keys', 'mutation', 'exportMyData', { keys: operations.mutation.updateAlert?.keys ?? 'never' }),
  withRow('an export without the password', 'mutation', 'exportMyData', { password: undefined as never }),
  withRow('an export before the first password is changed', 'mutation', 'exportMyData', {
    openUnder: [SessionRestriction.password],
  }),
  {
    what: 'sockets for visitors',
    hits: ['site', 'plans'],
    options: () => ({ changeSocketOptions: (options) => ({ ...options, onConnect: () => true }) }),
  },
  {
    what: 'a session that outlives its account',
    hits: ['alerts', 'recentListings'],
    async put({ actors, api }) {
      const erased = actors.find(({ standing }) => standing.isErased);
      const sid = decodeURIComponent(erased?.headers.cookie?.split('=')[1] ?? '').replace(/^s:|\..*$/g, '');
      // Past the trigger that makes no session for whoever is gone.
      await api.db.pool.query(
        `begin;
         set local session_replication_role = replica;
         insert into session (sid, sess, expire)
         select '${sid}', jsonb_set(sess::jsonb, '{userId}', '${erased?.id}')::json, expire from session
          where sess ->> 'userId' = '1' limit 1;
         commit`,
      );
      await api.db.pool.query('insert into kept.session select * from session where sid = $1', [sid]);
      return () => api.db.pool.query('delete from kept.session where sid = $1', [sid]);
    },
  },
];

const callers = [
  'visitor',
  'free',
  'elite',
  'key with read',
  'key with write',
  'password long ago',
  'erased',
  'admin',
  'admin with a first password',
];

let world: AccessWorld;
beforeAll(async () => {
  world = await makeAccessWorld(callers);
});
afterAll(() => world?.close());

/** The wrong cells of what a plant should hit, in a LotWatch of its own over the same rows. */
async function foundBy({ options, put, hits }: Plant): Promise<{ cells: number; wrong: string[] }> {
  const cells = cellsOf(makeSchema(), world.actors).filter(({ ask }) => hits.includes(ask.operation));
  const takeOut = await put?.(world);
  const planted = await makeTestApi({ ...accessOptions(world.payments), ...options?.(), db: world.api.db });
  try {
    return { cells: cells.length, wrong: await wrongCells(world, cells, planted.url) };
  } finally {
    await planted.close();
    await takeOut?.();
    await world.kept.restore(() => {});
  }
}

describe('a check that is left out shows in the matrix', { tags: 'long' }, () => {
  it.each(plants)('$what', async (plant) => {
    const { cells, wrong } = await foundBy(plant);
    console.log(`plant: ${plant.what}: ${wrong.length} of ${cells} cells wrong`);
    expect(wrong).not.toEqual([]);
  });

  it('and where none is, nothing is wrong', async () => {
    const hits = plants.flatMap((plant) => plant.hits);
    expect((await foundBy({ what: 'nothing', hits })).wrong).toEqual([]);
  });
});
