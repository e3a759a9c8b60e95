import type { GraphQLSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionRestriction } from '../../src/domain/session-restriction.ts';
import { type Context, makeContext } from '../../src/graphql/context.ts';
import { makeSchema } from '../../src/graphql/make-schema.ts';
import { type Operation, type OperationKind, operations } from '../../src/policies/operations.ts';
import { makeTestApi, type TestApiOptions } from '../make-app.ts';
import { type AccessWorld, accessOptions, cellsOf, makeAccessWorld, wrongCells } from './matrix.ts';

/** An injected fault: one check of the product is left out. */
interface InjectedFault {
  what: string;
  /** The operations that answer wrongly without the check. */
  affects: readonly string[];
  /** Options of a LotWatch without the check. */
  options?(): TestApiOptions;
  /** Injects the fault in another way. @returns a function that reverts it */
  inject?(world: AccessWorld): Promise<() => unknown> | (() => unknown);
}

type Args = Record<string, string>;
type Resolve = (args: Args, context: Context) => unknown;

/** The schema with another resolver for a field. */
function schemaWith(name: string, make: (resolve: Resolve) => Resolve): GraphQLSchema {
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

/** The operation does not check who owns the resource: it runs as the owner, whoever calls. */
const withoutOwnerCheck = (operation: string, thing: string, argument: string): InjectedFault => ({
  what: `${operation} of another's ${thing}`,
  affects: [operation],
  options: () => ({
    schema: schemaWith(operation, (resolve) => async (args, context) => {
      const { rows } = await context.parts.pool.query<{ id: number }>(owners[thing] ?? '', [args[argument]]);
      const { viewer } = context;
      if (!viewer || !rows[0]) return resolve(args, context);
      return resolve(args, makeContext(context.parts, { ...context, viewer: { ...viewer, id: rows[0].id } }));
    }),
  }),
});

/** A row of the table of operations asks for less than it should. */
const withLaxRow = (what: string, kind: OperationKind, name: string, lax: Partial<Operation>): InjectedFault => ({
  what,
  affects: [name],
  inject() {
    const row = operations[kind][name] as Operation;
    const before = { ...row };
    Object.assign(row, lax);
    return () => {
      for (const key of Object.keys(row)) delete (row as unknown as Record<string, unknown>)[key];
      Object.assign(row, before);
    };
  },
});

const withResolver = (what: string, name: string, make: (resolve: Resolve) => Resolve): InjectedFault => ({
  what,
  affects: [name],
  options: () => ({ schema: schemaWith(name, make) }),
});

const faults: readonly InjectedFault[] = [
  withoutOwnerCheck('alert', 'alert', 'id'),
  withoutOwnerCheck('updateAlert', 'alert', 'id'),
  withoutOwnerCheck('deleteAlert', 'alert', 'id'),
  withoutOwnerCheck('matches', 'alert', 'alertId'),
  withoutOwnerCheck('deleteWebhook', 'webhook', 'id'),
  withoutOwnerCheck('revokeApiKey', 'key', 'id'),
  withoutOwnerCheck('endSession', 'session', 'id'),
  withoutOwnerCheck('checkoutSession', 'checkout', 'sessionId'),
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
  withLaxRow('deletion requests for every user', 'query', 'deletionRequests', { access: 'user' }),
  withLaxRow('a change for keys that may read', 'mutation', 'updateAlert', {
    keys: operations.query.alert?.keys ?? 'never',
  }),
  withLaxRow('an export for keys', 'mutation', 'exportMyData', {
    keys: operations.mutation.updateAlert?.keys ?? 'never',
  }),
  withLaxRow('an export without the password', 'mutation', 'exportMyData', { password: undefined as never }),
  withLaxRow('an export before the first password is changed', 'mutation', 'exportMyData', {
    openUnder: [SessionRestriction.password],
  }),
  {
    what: 'sockets for visitors',
    affects: ['site', 'plans'],
    options: () => ({ changeSocketOptions: (options) => ({ ...options, onConnect: () => true }) }),
  },
  {
    what: 'a session that outlives its account',
    affects: ['alerts', 'recentListings'],
    async inject({ actors, api }) {
      const erased = actors.find(({ role }) => role.isErased);
      const sid = decodeURIComponent(erased?.headers.cookie?.split('=')[1] ?? '').replace(/^s:|\..*$/g, '');
      // With triggers off: one of them refuses a session of a deleted account.
      await api.db.pool.query(
        `begin;
         set local session_replication_role = replica;
         insert into session (sid, sess, expire)
         select '${sid}', jsonb_set(sess::jsonb, '{userId}', '${erased?.id}')::json, expire from session
          where sess ->> 'userId' = '1' limit 1;
         commit`,
      );
      await api.db.pool.query('insert into snapshot.session select * from session where sid = $1', [sid]);
      return () => api.db.pool.query('delete from snapshot.session where sid = $1', [sid]);
    },
  },
];

const callers = [
  'visitor',
  'free',
  'elite',
  'key with read',
  'key with write',
  'password given long ago',
  'erased',
  'admin',
  'admin with a first password',
];

let world: AccessWorld;
beforeAll(async () => {
  world = await makeAccessWorld(callers);
});
afterAll(() => world?.close());

/** Runs the cells of the affected operations against a LotWatch with the fault, over the same rows. */
async function foundBy({ options, inject, affects }: InjectedFault): Promise<{ cells: number; wrong: string[] }> {
  const cells = cellsOf(makeSchema(), world.actors).filter(({ ask }) => affects.includes(ask.operation));
  const revert = await inject?.(world);
  const faulty = await makeTestApi({ ...accessOptions(world.payments), ...options?.(), db: world.api.db });
  try {
    return { cells: cells.length, wrong: await wrongCells(world, cells, faulty.url) };
  } finally {
    await faulty.close();
    await revert?.();
    await world.snapshot.restore(() => {});
  }
}

describe('the matrix finds a check that is left out', { tags: 'long' }, () => {
  it.each(faults)('$what', async (fault) => {
    const { cells, wrong } = await foundBy(fault);
    console.log(`injected fault: ${fault.what}: ${wrong.length} of ${cells} cells wrong`);
    expect(wrong).not.toEqual([]);
  });

  it('the matrix finds nothing where no check is left out', async () => {
    const affects = faults.flatMap((fault) => fault.affects);
    expect((await foundBy({ what: 'nothing', affects })).wrong).toEqual([]);
  });
});
