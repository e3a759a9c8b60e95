import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: "The state of a user's text messages." })
export class TextState {
  @Field(() => Boolean, { description: 'Whether text messages are set up on this server.' })
  available!: boolean;

  @Field(() => Boolean, {
    description: 'Whether the confirmed number has replied STOP; it receives no texts until it replies START.',
  })
  stopped!: boolean;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When the last texted code expires; null if no code is open.',
  })
  codeExpiresAt!: Date | null;

  @Field(() => Int, { description: 'Texts that count towards the limit of this calendar month (UTC).' })
  usedThisMonth!: number;

  @Field(() => Int, { description: 'How many texts the plan allows in a calendar month; 0 on the Free plan.' })
  monthlyLimit!: number;

  @Field(() => String, { nullable: true, description: 'The number from which texts are sent, if there is one.' })
  from!: string | null;
}

@ObjectType({
  description: 'A text that the provider may or may not have accepted. It is never sent again.',
})
export class UnknownText {
  @Field(() => ID, { description: "Id of the text, which the provider's status callbacks carry." })
  id!: string;

  @Field(() => String, { description: '"match" or "code".' })
  kind!: string;

  @Field(() => ID, { description: 'Number of the user.' })
  userId!: number;

  @Field(() => String, { nullable: true, description: 'Name of the user.' })
  username!: string | null;

  @Field(() => ID, { nullable: true, description: 'The alert that it is about; null for a code.' })
  alertId!: number | null;

  @Field(() => String, { description: 'The last digits of the phone number.' })
  to!: string;

  @Field(() => Int, { description: 'How many cars it announces.' })
  cars!: number;

  @Field(() => GraphQLDateTime, { description: 'When it was about to be passed to the provider.' })
  claimedAt!: Date;

  @Field(() => String, { nullable: true, description: 'What is known about the cause.' })
  reason!: string | null;
}

@ObjectType({ description: 'A page of texts with an unknown result, newest first.' })
export class UnknownTextPage {
  @Field(() => [UnknownText], { description: 'The texts of this page.' })
  nodes!: UnknownText[];

  @Field(() => String, { nullable: true, description: 'Pass this to unknownTexts(after:) to read the next page.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older entries.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'How many there are on all pages.' })
  total!: number;
}
