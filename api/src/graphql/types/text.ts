import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: "What holds of a user's text messages." })
export class TextState {
  @Field(() => Boolean, { description: 'Whether text messages are set up on this server at all.' })
  available!: boolean;

  @Field(() => Boolean, {
    description: 'Whether the confirmed number replied STOP: it gets none until it texts START.',
  })
  stopped!: boolean;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'Until when the code that was texted last can be entered; null when none waits.',
  })
  codeExpiresAt!: Date | null;

  @Field(() => Int, { description: "Texts that count towards this calendar month's limit (UTC)." })
  usedThisMonth!: number;

  @Field(() => Int, { description: 'How many texts the plan has a calendar month; 0 on Free.' })
  monthlyLimit!: number;

  @Field(() => String, { nullable: true, description: 'The number that texts come from, where there is one.' })
  from!: string | null;
}

@ObjectType({
  description: 'A text message of which nobody knows whether the provider took it. It is never sent again.',
})
export class UnknownText {
  @Field(() => ID, { description: 'Id of the text; the provider has it where it tells how far a text has come.' })
  id!: string;

  @Field(() => String, { description: '"match" or "code".' })
  kind!: string;

  @Field(() => ID, { description: 'Number of the user.' })
  userId!: number;

  @Field(() => String, { nullable: true, description: 'Name of the user.' })
  username!: string | null;

  @Field(() => ID, { nullable: true, description: 'The alert that fired; null for a code.' })
  alertId!: number | null;

  @Field(() => String, { description: 'The last digits of the number.' })
  to!: string;

  @Field(() => Int, { description: 'How many cars it told of.' })
  cars!: number;

  @Field(() => GraphQLDateTime, { description: 'When it was about to be handed over.' })
  claimedAt!: Date;

  @Field(() => String, { nullable: true, description: 'What is known of why.' })
  reason!: string | null;
}

@ObjectType({ description: 'Texts of unknown fate, the newest first.' })
export class UnknownTextPage {
  @Field(() => [UnknownText], { description: 'The texts of this page.' })
  nodes!: UnknownText[];

  @Field(() => String, { nullable: true, description: 'Hand this to unknownTexts(after:) for the page that follows.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older ones.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'How many there are, on all pages.' })
  total!: number;
}
