import { Field, InputType } from 'type-graphql';

@InputType({ description: 'A message to those who run this LotWatch; all four are needed.' })
export class ContactInput {
  @Field(() => String, { description: 'Who writes; 1 to 100 characters.' })
  name!: string;

  @Field(() => String, { description: 'Where the answer goes.' })
  email!: string;

  @Field(() => String, { description: '1 to 200 characters.' })
  subject!: string;

  @Field(() => String, { description: '1 to 5,000 characters.' })
  message!: string;
}
