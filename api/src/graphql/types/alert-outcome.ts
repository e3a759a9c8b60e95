import { GraphQLJSON } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import type { AlertOutcome as Outcome } from '../../alerts/bulk/each-alert.ts';
import { Alert } from '../../entities/alert.ts';

@ObjectType({ description: 'Why one of many alerts was refused; the same as in any error.' })
export class AlertRefusal {
  @Field(() => String, { description: 'What to act on.' })
  code!: string;

  @Field(() => String, { description: 'A sentence to show.' })
  message!: string;

  @Field(() => GraphQLJSON, { nullable: true, description: 'What is wrong, by the name of the field.' })
  fields?: Record<string, string> | undefined;

  @Field(() => Boolean, { nullable: true, description: 'Whether a larger plan would help.' })
  needsUpgrade?: boolean | undefined;
}

@ObjectType({ description: 'What became of one of many alerts.' })
export class AlertOutcome implements Outcome {
  @Field(() => Int, { description: 'Its place in the call, from 0.' })
  index!: number;

  @Field(() => Alert, { nullable: true, description: 'The alert as it is now; null where it was refused.' })
  alert!: Alert | null;

  @Field(() => AlertRefusal, { nullable: true, description: 'Why it was refused; null where it was not.' })
  error!: Outcome['error'];
}
