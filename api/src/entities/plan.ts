import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A subscription plan. Plan 1 is the free level.' })
@Entity({ tableName: 'plans' })
export class Plan {
  @Field(() => ID, { description: '1 Free, 2 Starter, 3 Pro, 4 Elite.' })
  @PrimaryKey({ type: 'integer', autoincrement: false })
  id!: number;

  @Field(() => String, { description: 'Name of the plan.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => String, { description: 'The plan in one line.' })
  @Property({ type: 'text' })
  description!: string;

  @Property({ type: 'decimal', precision: 8, scale: 2 })
  price!: string;

  @Field(() => Int, { description: 'How many alerts may be active at the same time.' })
  @Property({ type: 'integer' })
  alertLimit!: number;

  @Field(() => Boolean, {
    description: 'Whether the plan is marked as popular.',
  })
  @Property({ type: 'boolean' })
  isPopular!: boolean;

  @Field(() => [String], {
    description: 'What the plan offers, one item for each feature.',
  })
  @Property({ type: 'text[]' })
  features!: string[];
}
