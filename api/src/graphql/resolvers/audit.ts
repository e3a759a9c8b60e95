import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { readAuditLog } from '../../rights/read-audit-log.ts';
import type { Context } from '../context.ts';
import { readNumberCursor, readPageSize } from '../read-arguments.ts';

@ObjectType({ description: 'One action of the admin or of a command. Entries are never changed.' })
class AuditEntry {
  @Field(() => ID, { description: 'Number of the entry.' })
  id!: number;

  @Field(() => GraphQLDateTime, { description: 'When it happened.' })
  at!: Date;

  @Field(() => String, {
    description: 'Who acted: "admin", "command", or "visitor" for someone who failed to sign in as the admin.',
  })
  actor!: string;

  @Field(() => String, { description: 'Stable name of the action, for example "deletion-request.execute".' })
  action!: string;

  @Field(() => String, { description: 'The action in words.' })
  label!: string;

  @Field(() => String, { nullable: true, description: 'What was acted on, by id only, for example "user 12".' })
  subject!: string | null;

  @Field(() => String, {
    description: '"done", the result, or the code of the error with which the action failed.',
  })
  outcome!: string;
}

@ObjectType({ description: 'A page of the audit log, newest first.' })
class AuditPage {
  @Field(() => [AuditEntry], { description: 'The entries of this page.' })
  nodes!: AuditEntry[];

  @Field(() => String, { nullable: true, description: 'Pass this to auditLog(after:) to read the next page.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older entries.' })
  hasMore!: boolean;
}

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
