import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What was done, in a sentence for the user.' })
export class Message {
  @Field(() => String, { description: 'The sentence.' })
  message!: string;
}
