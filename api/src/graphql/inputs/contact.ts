import { Field, InputType } from 'type-graphql';

@InputType({ description: 'A message to the operators of this LotWatch. All four fields are required.' })
export class ContactInput {
  @Field(() => String, { description: "The sender's name, 1 to 100 characters." })
  name!: string;

  @Field(() => String, { description: 'The address to reply to.' })
  email!: string;

  @Field(() => String, { description: '1 to 200 characters.' })
  subject!: string;

  @Field(() => String, { description: '1 to 5,000 characters.' })
  message!: string;
}
