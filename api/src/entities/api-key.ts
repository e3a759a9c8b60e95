import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ApiScope } from '../domain/api-key.ts';

registerEnumType(ApiScope, {
  name: 'ApiScope',
  description: 'What an API key may do.',
  valuesConfig: {
    read: { description: 'Queries and subscriptions.' },
    write: { description: 'Changes as well; includes read.' },
  },
});

@ObjectType({ description: 'A key for programs, without its secret.' })
@Entity({ tableName: 'api_keys' })
export class ApiKey {
  @Field(() => ID, { description: 'Number of the key.' })
  @PrimaryKey({ type: new BigIntType('number') })
  id!: number;

  @Property({ type: new BigIntType('number') })
  userId!: number;

  @Field(() => String, { description: 'What its owner calls it.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'How it begins, like "lw_live_4fQ2x9Ab".' })
  @Property({ type: 'text' })
  prefix!: string;

  @Property({ type: 'blob', hidden: true, lazy: true })
  secretHash!: Buffer;

  @Field(() => [ApiScope], { description: 'What it may do.' })
  @Property({ type: 'text[]' })
  scopes!: ApiScope[];

  @Field(() => GraphQLDateTime, { description: 'When it was made.' })
  @Property({ type: 'timestamptz', defaultRaw: 'now()' })
  createdAt!: Opt<Date>;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it was last used, to a minute; null before.' })
  @Property({ type: 'timestamptz', nullable: true })
  lastUsedAt?: Date | null;

  @Property({ type: new BigIntType('number'), nullable: true })
  replacedBy?: number | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When it ends, or ended, because another has replaced it; null otherwise.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  expiresAt?: Date | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it was revoked; null otherwise.' })
  @Property({ type: 'timestamptz', nullable: true })
  revokedAt?: Date | null;
}
