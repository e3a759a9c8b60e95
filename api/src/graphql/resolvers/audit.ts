import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { readAuditLog } from '../../rights/read-audit-log.ts';
import type { Context } from '../context.ts';
import { readNumberCursor, readPageSize } from '../page-size.ts';
import { AuditPage } from '../types/audit.ts';

@Resolver()
export class AuditResolver {
  @Query(() => AuditPage, {
    description: 'Actions of the admin and of commands, and sign-ins as the admin, newest first. Admin only.',
  })
  async auditLog(
    @Arg('first', () => Int, { nullable: true, description: 'Page size, 1 to 100; 20 if absent.' })
    first: number | null | undefined,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor; the page starts after it.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<AuditPage> {
    const page = { first: readPageSize(first), before: readNumberCursor(after, 'audit log') };
    const { rows, hasMore } = await readAuditLog(context.parts.pool, page);
    return { nodes: rows, hasMore, endCursor: rows.at(-1)?.id.toString() ?? null };
  }
}
