import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { networkOf as addressNetwork } from '../base/addresses/network.ts';
import { AppError } from '../base/errors.ts';
import type { SecurityLog } from '../base/security-events.ts';
import { readToken } from '../domain/action-links.ts';
import type { Context } from './context.ts';

interface Done {
  note: SecurityLog['note'];
  userId: number | null;
  args: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: each operation answers in a shape of its own
  result: any;
  context: Context;
}

/** A hash of the caller's address: who guesses from one network is seen, and where that is, is not. */
export const networkOf = ({ parts, address }: Context): string => parts.security.hash(addressNetwork(address));

/** What is noted of a mutation that was done. */
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
};

/** Notes in the log what was done about accounts and secrets, and logins that failed, whoever runs the operation. */
export function logSecurity(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const noteDone = whenDone[field.name];
    if (!noteDone) continue;
    const { resolve = defaultFieldResolver } = field;
    field.resolve = async (source, args: Record<string, unknown>, context: Context, info) => {
      const { note, hash } = context.parts.security;
      try {
        const result: unknown = await resolve(source, args, context, info);
        noteDone({ note, userId: context.viewer?.id ?? null, args, result, context });
        return result;
      } catch (error) {
        if (field.name === 'login' && error instanceof AppError && error.code === 'UNAUTHENTICATED')
          note('login.failed', { account: hash(String(args.username)), network: networkOf(context) });
        if (error instanceof AppError && error.fields?.currentPassword !== undefined)
          note('password.refused', { userId: context.viewer?.id ?? null, network: networkOf(context) });
        throw error;
      }
    };
  }
  return schema;
}
