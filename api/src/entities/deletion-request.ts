import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { DeletionStatus } from '../domain/deletion-request.ts';

registerEnumType(DeletionStatus, {
  name: 'DeletionStatus',
  description: 'The state of a deletion request.',
  valuesConfig: {
    pending: { description: 'The admin has not decided yet.' },
    approved: { description: 'The data will be erased.' },
    rejected: { description: 'The data stays.' },
    completed: { description: 'The account and all its data are erased.' },
  },
});

@ObjectType({ description: "A user's request to erase their account and all its data." })
@Entity({ tableName: 'deletion_requests' })
export class DeletionRequest {
  @Field(() => ID, { description: 'Number of the request.' })
  @PrimaryKey({ type: new BigIntType('number') })
  id!: number;

  @Field(() => ID, { description: 'Name of the request, for example "DR-7F3K2Q"; it can\'t be guessed.' })
  @Property({ type: 'text' })
  requestId!: string;

  @Field(() => ID, { description: 'Number of the account.' })
  @Property({ type: new BigIntType('number') })
  userId!: number;

  @Field(() => String, {
    nullable: true,
    description: 'The user who made the request; null once the account is erased.',
  })
  @Property({ type: 'text', nullable: true })
  username?: string | null;

  @Field(() => String, { nullable: true, description: "The user's reason; null once the account is erased." })
  @Property({ type: 'text', nullable: true })
  reason?: string | null;

  @Field(() => DeletionStatus, { description: 'The state of the request.' })
  @Property({ type: 'text' })
  status: Opt<DeletionStatus> = DeletionStatus.pending;

  @Field(() => String, { nullable: true, description: "The admin's notes; null once the account is erased." })
  @Property({ type: 'text', nullable: true })
  notes?: string | null;

  @Field(() => GraphQLDateTime, { description: 'When it was created.' })
  @Property({ type: 'timestamptz', defaultRaw: 'now()' })
  createdAt!: Opt<Date>;

  @Property({ type: 'timestamptz', nullable: true })
  decidedAt?: Date | null;

  @Property({ type: 'timestamptz', nullable: true })
  completedAt?: Date | null;
}
