import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'The result, as a sentence for the user.' })
export class Message {
  @Field(() => String, { description: 'The sentence.' })
  message!: string;
}
