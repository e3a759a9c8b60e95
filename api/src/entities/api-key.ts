import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ApiScope } from '../domain/api-key.ts';

registerEnumType(ApiScope, {
  name: 'ApiScope',
  description: 'What an API key is allowed to do.',
  valuesConfig: {
    read: { description: 'Queries and subscriptions.' },
    write: { description: 'Mutations as well; includes read.' },
  },
});

@ObjectType({ description: 'An API key, without its secret.' })
@Entity({ tableName: 'api_keys' })
export class ApiKey {
  @Field(() => ID, { description: 'Number of the key.' })
  @PrimaryKey({ type: new BigIntType('number') })
  id!: number;

  @Property({ type: new BigIntType('number') })
  userId!: number;

  @Field(() => String, { description: 'The name that the owner gave it.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'The first characters of the key, for example "lw_live_4fQ2x9Ab".' })
  @Property({ type: 'text' })
  prefix!: string;

  @Property({ type: 'blob', hidden: true, lazy: true })
  secretHash!: Buffer;

  @Field(() => [ApiScope], { description: 'What the key is allowed to do.' })
  @Property({ type: 'text[]' })
  scopes!: ApiScope[];

  @Field(() => GraphQLDateTime, { description: 'When it was created.' })
  @Property({ type: 'timestamptz', defaultRaw: 'now()' })
  createdAt!: Opt<Date>;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When the key was last used, to the minute; null if it never was.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  lastUsedAt?: Date | null;

  @Property({ type: new BigIntType('number'), nullable: true })
  replacedBy?: number | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When the key expires, or expired, because another key replaced it; otherwise null.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  expiresAt?: Date | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the key was revoked; otherwise null.' })
  @Property({ type: 'timestamptz', nullable: true })
  revokedAt?: Date | null;
}
