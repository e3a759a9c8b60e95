import { BigIntType } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType('SourceHealth', {
  description: 'The health of a source of listings.',
})
@Entity({ tableName: 'sources' })
export class Source {
  @Field(() => String, { description: 'Name of the source.' })
  @PrimaryKey({ type: 'text' })
  name!: string;

  @Field(() => String, {
    description:
      '"marketplace-items", "vehicle-feed", "google-vehicle-feed", "json-feed", "ebay", "vehicle-pages" or "push".',
  })
  @Property({ type: 'text' })
  kind!: string;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When it was last polled.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  lastPolledAt?: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When it was last read without an error.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  lastSuccessAt?: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When the source was last read completely.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  lastCompleteAt?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'The last error; null while there is none.',
  })
  @Property({ type: 'text', nullable: true })
  lastError?: string | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When the last error happened.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  lastErrorAt?: Date | null;

  @Field(() => Int, { description: 'How many polls have failed in a row.' })
  @Property({ type: 'integer' })
  failures!: number;

  @Field(() => Int, {
    description: 'Items accepted since the source was created.',
  })
  @Property({ type: new BigIntType('number') })
  items!: number;

  @Field(() => Int, {
    description: 'Records quarantined since the source was created.',
  })
  @Property({ type: new BigIntType('number') })
  rejects!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Median milliseconds from listed to seen, in the last read.',
  })
  @Property({ type: 'integer', nullable: true })
  lagMs?: number | null;
}
