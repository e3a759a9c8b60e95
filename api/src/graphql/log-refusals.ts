import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { AppError } from '../base/errors.ts';
import { writeAuditLog } from '../entities/shared/write-audit-log.ts';
import { canAdministrate } from '../policies/admin.ts';
import { auditOf } from '../policies/operations.ts';
import type { Context } from './context.ts';

/**
 * Writes into the audit log which of the admin's operations failed, and of what. Those that succeed write their own row,
 * in the transaction that acts.
 */
export function logRefusals(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const logged = auditOf(field.name);
    if (!logged) continue;
    const { resolve = defaultFieldResolver } = field;
    field.resolve = async (source, args: Record<string, unknown>, context: Context, info) => {
      try {
        return await resolve(source, args, context, info);
      } catch (error) {
        if (context.viewer && canAdministrate(context.viewer)) {
          const outcome = error instanceof AppError ? error.code : 'INTERNAL';
          const entry = { actor: 'admin', action: logged.action, subject: logged.subject(args), outcome } as const;
          // Where the log can't be written the database is away: the first fault says more.
          await writeAuditLog(context.parts.pool, entry).catch(() => {});
        }
        throw error;
      }
    };
  }
  return schema;
}
