import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { networkOf as addressNetwork } from '../base/addresses/network.ts';
import { AppError } from '../base/errors.ts';
import type { SecurityLog } from '../base/security-events.ts';
import { readToken } from '../domain/action-links.ts';
import { writeAuditLog } from '../entities/audit-log.ts';
import { canAdministrate } from '../policies/admin.ts';
import { auditOf } from '../policies/operations.ts';
import type { Context } from './context.ts';

interface Call {
  name: string;
  args: Record<string, unknown>;
  context: Context;
  run(): Promise<unknown>;
}

/** Makes the mutations for which `isLogged` holds run inside `log`. */
function logMutations(
  schema: GraphQLSchema,
  isLogged: (name: string) => boolean,
  log: (call: Call) => Promise<unknown>,
): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    if (!isLogged(field.name)) continue;
    const { name, resolve = defaultFieldResolver } = field;
    field.resolve = (source, args: Record<string, unknown>, context: Context, info) =>
      log({ name, args, context, run: async () => resolve(source, args, context, info) });
  }
  return schema;
}

/**
 * Writes refused operations of the admin into the audit log. Those that succeed write their own entry, in the
 * transaction that makes the change.
 */
export function logRefusals(schema: GraphQLSchema): GraphQLSchema {
  return logMutations(
    schema,
    (name) => auditOf(name) !== undefined,
    async ({ name, args, context, run }) => {
      try {
        return await run();
      } catch (error) {
        const logged = auditOf(name);
        if (logged && context.viewer && canAdministrate(context.viewer)) {
          const outcome = error instanceof AppError ? error.code : 'INTERNAL';
          const entry = { actor: 'admin', action: logged.action, subject: logged.subject(args), outcome } as const;
          // If this fails the database is down, and the first error is the one to report.
          await writeAuditLog(context.parts.pool, entry).catch(() => {});
        }
        throw error;
      }
    },
  );
}

/** What the events take from the results of mutations, each of which has its own fields. */
interface Result {
  id: unknown;
  isNew: boolean;
  apiKey: { id: unknown };
  webhook: { id: unknown };
}

interface Done {
  note: SecurityLog['record'];
  userId: number | null;
  args: Record<string, unknown>;
  result: Result;
  context: Context;
}

/** A hash of the caller's network: repeated guesses from one network are visible, the network itself is not. */
export const networkOf = ({ parts, address }: Context): string => parts.security.hash(addressNetwork(address));

const noteLink = ({ note, userId, result, context }: Done): void =>
  note('link.created', { userId, linkId: Number(result.id), network: networkOf(context) });

/** The security event of each mutation that succeeded. */
const whenDone: Readonly<Record<string, (done: Done) => void>> = {
  register: ({ note, result, context }) =>
    note('account.created', { userId: Number(result.id), network: networkOf(context) }),
  login: ({ note, result, context }) =>
    note('login.succeeded', { userId: Number(result.id), network: networkOf(context) }),
  logout: ({ note, userId }) => userId !== null && note('session.ended', { userId, because: 'logout' }),
  endSession: ({ note, userId }) => note('session.ended', { userId, because: 'signed out elsewhere' }),
  endOtherSessions: ({ note, userId }) => note('session.ended', { userId, because: 'all others signed out' }),
  confirmPassword: ({ note, userId, context }) => note('password.given', { userId, network: networkOf(context) }),
  requestPasswordReset: ({ note, args, context }) =>
    note('reset.requested', {
      account: context.parts.security.hash(String(args.email)),
      network: networkOf(context),
    }),
  changePassword({ note, userId }) {
    note('password.changed', { userId, how: 'change' });
    note('session.ended', { userId, because: 'password' });
  },
  resetPassword({ note, args, context }) {
    const reading = readToken(context.parts.linkSecret, String(args.token), new Date());
    const userId = reading.ok ? reading.claims.userId : null;
    note('password.changed', { userId, how: 'mailed link' });
    note('session.ended', { userId, because: 'password' });
  },
  confirmSecondFactor({ note, userId }) {
    note('factor.added', { userId });
    note('session.ended', { userId, because: 'second factor' });
  },
  endSecondFactor: ({ note, userId }) => note('factor.removed', { userId }),
  renewRecoveryCodes: ({ note, userId }) => note('recovery.renewed', { userId }),
  createApiKey: ({ note, userId, result }) => note('key.created', { userId, keyId: Number(result.apiKey.id) }),
  rotateApiKey: ({ note, userId, result }) => note('key.replaced', { userId, keyId: Number(result.apiKey.id) }),
  revokeApiKey: ({ note, userId, args }) => note('key.revoked', { userId, keyId: Number(args.id) }),
  createWebhook: ({ note, userId, result }) =>
    note('webhook.created', { userId, webhookId: Number(result.webhook.id) }),
  updateWebhook: ({ note, userId, args }) => note('webhook.changed', { userId, webhookId: Number(args.id) }),
  deleteWebhook: ({ note, userId, args }) => note('webhook.deleted', { userId, webhookId: Number(args.id) }),
  rotateWebhookSecret: ({ note, userId, args }) =>
    note('webhook.secret.changed', { userId, webhookId: Number(args.id) }),
  addPushSubscription: ({ note, userId, result, context }) =>
    result.isNew && note('push.added', { userId, network: networkOf(context) }),
  removePushSubscription: ({ note, userId }) => note('push.removed', { userId }),
  shareAlert: noteLink,
  shareListings: noteLink,
  endSharedLink: ({ note, userId, args }) => note('link.ended', { userId, linkId: Number(args.id) }),
};

/** Writes security events: completed mutations of accounts and secrets, failed logins and wrong current passwords. */
export function logSecurity(schema: GraphQLSchema): GraphQLSchema {
  return logMutations(
    schema,
    (name) => whenDone[name] !== undefined,
    async ({ name, args, context, run }) => {
      const { record: note, hash } = context.parts.security;
      const userId = context.viewer?.id ?? null;
      try {
        const result: unknown = await run();
        whenDone[name]?.({ note, userId, args, result: result as Result, context });
        return result;
      } catch (error) {
        if (name === 'login' && error instanceof AppError && error.code === 'UNAUTHENTICATED')
          note('login.failed', { account: hash(String(args.username)), network: networkOf(context) });
        if (error instanceof AppError && error.fields?.currentPassword !== undefined)
          note('password.refused', { userId, network: networkOf(context) });
        throw error;
      }
    },
  );
}
