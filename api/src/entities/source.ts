import { BigIntType } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType('SourceHealth', {
  description: 'How a source of listings is doing.',
})
@Entity({ tableName: 'sources' })
export class Source {
  @Field(() => String, { description: 'Name of the source.' })
  @PrimaryKey({ type: 'text' })
  name!: string;

  @Field(() => String, {
    description: '"marketplace-items", "vehicle-feed" or "push".',
  })
  @Property({ type: 'text' })
  kind!: string;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When it was last asked.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  lastPolledAt?: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When it was last read without a fault.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  lastSuccessAt?: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When all it holds was last read to its end.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  lastCompleteAt?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'What went wrong last, null while all is well.',
  })
  @Property({ type: 'text', nullable: true })
  lastError?: string | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When something last went wrong.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  lastErrorAt?: Date | null;

  @Field(() => Int, { description: 'How many polls in a row have failed.' })
  @Property({ type: 'integer' })
  failures!: number;

  @Field(() => Int, {
    description: 'Items taken in since the source was made.',
  })
  @Property({ type: new BigIntType('number') })
  items!: number;

  @Field(() => Int, {
    description: 'Records set aside since the source was made.',
  })
  @Property({ type: new BigIntType('number') })
  rejects!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Milliseconds from listed to seen, median of the last read.',
  })
  @Property({ type: 'integer', nullable: true })
  lagMs?: number | null;
}
