import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { DeletionStatus } from '../domain/deletion-request.ts';

registerEnumType(DeletionStatus, {
  name: 'DeletionStatus',
  description: 'Where a deletion request stands.',
  valuesConfig: {
    pending: { description: 'The admin has not decided yet.' },
    approved: { description: 'The data will be erased.' },
    rejected: { description: 'The data stays.' },
    completed: { description: 'The account and all its data are erased.' },
  },
});

@ObjectType({ description: "A person's wish to have their account and all its data erased." })
@Entity({ tableName: 'deletion_requests' })
export class DeletionRequest {
  @Field(() => ID, { description: 'Number of the request.' })
  @PrimaryKey({ type: new BigIntType('number') })
  id!: number;

  @Field(() => ID, { description: 'Name of the request, like "DR-7F3K2Q"; it can\'t be guessed.' })
  @Property({ type: 'text' })
  requestId!: string;

  @Field(() => ID, { description: 'Number of the account.' })
  @Property({ type: new BigIntType('number') })
  userId!: number;

  @Field(() => String, { nullable: true, description: 'Who asks; null once the account is erased.' })
  @Property({ type: 'text', nullable: true })
  username?: string | null;

  @Field(() => String, { nullable: true, description: 'Why, in their words; null once the account is erased.' })
  @Property({ type: 'text', nullable: true })
  reason?: string | null;

  @Field(() => DeletionStatus, { description: 'Where it stands.' })
  @Property({ type: 'text' })
  status: Opt<DeletionStatus> = DeletionStatus.pending;

  @Field(() => String, { nullable: true, description: "The admin's notes; null once the account is erased." })
  @Property({ type: 'text', nullable: true })
  notes?: string | null;

  @Field(() => GraphQLDateTime, { description: 'When it was made.' })
  @Property({ type: 'timestamptz', defaultRaw: 'now()' })
  createdAt!: Opt<Date>;

  @Property({ type: 'timestamptz', nullable: true })
  decidedAt?: Date | null;

  @Property({ type: 'timestamptz', nullable: true })
  completedAt?: Date | null;
}
