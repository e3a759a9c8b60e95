import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'One act of the admin or of a command. It stays as it was written.' })
export class AuditEntry {
  @Field(() => ID, { description: 'Number of the row.' })
  id!: number;

  @Field(() => GraphQLDateTime, { description: 'When.' })
  at!: Date;

  @Field(() => String, {
    description: 'Who: "admin", "command", or "visitor" for whoever failed to sign in as the admin.',
  })
  actor!: string;

  @Field(() => String, { description: 'Stable name of what was done, like "deletion-request.execute".' })
  action!: string;

  @Field(() => String, { description: 'The same in words.' })
  label!: string;

  @Field(() => String, { nullable: true, description: 'On what, by ids alone, like "user 12".' })
  subject!: string | null;

  @Field(() => String, {
    description: '"done", what became of it, or the code of the error that it failed with.',
  })
  outcome!: string;
}

@ObjectType({ description: 'Rows of the audit log, the newest first.' })
export class AuditPage {
  @Field(() => [AuditEntry], { description: 'The rows of this page.' })
  nodes!: AuditEntry[];

  @Field(() => String, { nullable: true, description: 'Hand this to auditLog(after:) for the page that follows.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older ones.' })
  hasMore!: boolean;
}
