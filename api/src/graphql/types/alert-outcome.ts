import { GraphQLJSON } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import type { AlertOutcome as Outcome } from '../../alerts/bulk/each-alert.ts';
import { Alert } from '../../entities/alert.ts';

@ObjectType({ description: 'Why one of several alerts was refused, in the form that all errors have.' })
export class AlertRefusal {
  @Field(() => String, { description: 'The error code, for programs.' })
  code!: string;

  @Field(() => String, { description: 'A sentence for people.' })
  message!: string;

  @Field(() => GraphQLJSON, { nullable: true, description: 'What is wrong, by field name.' })
  fields?: Record<string, string> | undefined;

  @Field(() => Boolean, { nullable: true, description: 'Whether a larger plan would allow it.' })
  needsUpgrade?: boolean | undefined;
}

@ObjectType({ description: 'The result for one of several alerts.' })
export class AlertOutcome implements Outcome {
  @Field(() => Int, { description: "The alert's position in the call, counting from 0." })
  index!: number;

  @Field(() => Alert, { nullable: true, description: 'The alert as it is now; null if it was refused.' })
  alert!: Alert | null;

  @Field(() => AlertRefusal, { nullable: true, description: 'Why the alert was refused; null if it was not.' })
  error!: Outcome['error'];
}
