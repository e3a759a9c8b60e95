import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { readAuditLog } from '../../rights/read-audit-log.ts';
import type { Context } from '../context.ts';
import { readNumberCursor, readPageSize } from '../page-size.ts';
import { AuditPage } from '../types/audit.ts';

@Resolver()
export class AuditResolver {
  @Query(() => AuditPage, {
    description:
      'What the admin and the commands did, and who signed in as the admin, the newest first; for the admin.',
  })
  async auditLog(
    @Arg('first', () => Int, { nullable: true, description: 'How many, 1 to 100; without it 20.' })
    first: number | null | undefined,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor: the page holds what is older.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<AuditPage> {
    const page = { first: readPageSize(first), before: readNumberCursor(after, 'audit log') };
    const { rows, hasMore } = await readAuditLog(context.parts.pool, page);
    return { nodes: rows, hasMore, endCursor: rows.at(-1)?.id.toString() ?? null };
  }
}
