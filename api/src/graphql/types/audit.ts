import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'One action of the admin or of a command. Entries are never changed.' })
export class AuditEntry {
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
export class AuditPage {
  @Field(() => [AuditEntry], { description: 'The entries of this page.' })
  nodes!: AuditEntry[];

  @Field(() => String, { nullable: true, description: 'Pass this to auditLog(after:) to read the next page.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older entries.' })
  hasMore!: boolean;
}
