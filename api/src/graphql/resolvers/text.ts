import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { confirmPhone, sendPhoneCode } from '../../accounts/phone/phone-codes.ts';
import { readPhoneState } from '../../accounts/phone/phone-state.ts';
import { refuseInvalid } from '../../base/errors.ts';
import { User } from '../../entities/user.ts';
import { countUnknownTexts, readUnknownTexts } from '../../notify/channels/sms/read-unknown-texts.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { readPageSize } from '../read-arguments.ts';
import { Message } from './message.ts';

@ObjectType({ description: "The state of a user's text messages." })
class TextState {
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
class UnknownText {
  @Field(() => ID, { description: "Id of the text, which the provider's status callbacks carry." })
  id!: string;

  @Field(() => String, { description: '"code", or the kind of a text about cars, as in Notification.kind.' })
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
class UnknownTextPage {
  @Field(() => [UnknownText], { description: 'The texts of this page.' })
  nodes!: UnknownText[];

  @Field(() => String, { nullable: true, description: 'Pass this to unknownTexts(after:) to read the next page.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older entries.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'How many there are on all pages.' })
  total!: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

@Resolver(() => User)
export class TextResolver {
  @Mutation(() => Message, {
    description:
      "Texts a code to the user's phone number; paid plans only, at most 3 in 10 minutes. A number without a country code is read as a US number.",
  })
  async sendPhoneCode(@Ctx() context: Context): Promise<Message> {
    const viewer = requireViewer(context);
    return { message: await sendPhoneCode(context.parts.phone, viewer.id) };
  }

  @Mutation(() => User, {
    description:
      'Confirms the phone number with the newest code; each code allows 5 attempts. The number is then stored as E.164.',
  })
  async confirmPhone(
    @Arg('code', () => String, { description: 'The six digits from the text message.' }) code: string,
    @Ctx() context: Context,
  ): Promise<User> {
    const viewer = requireViewer(context);
    await confirmPhone(context.parts.phone, viewer.id, code);
    return context.em.findOneOrFail(User, { id: viewer.id });
  }

  @Query(() => UnknownTextPage, {
    description: 'Texts that the provider may or may not have accepted, newest first. Admin only.',
  })
  async unknownTexts(
    @Arg('first', () => Int, { nullable: true, description: 'Page size, 1 to 100; 20 if absent.' })
    first: number | null | undefined,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor; the page starts after it.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<UnknownTextPage> {
    const { pool } = context.parts;
    const size = readPageSize(first);
    if (after && !UUID.test(after)) refuseInvalid({ after: 'This is no cursor of the texts.' });
    const [{ rows, hasMore }, total] = await Promise.all([
      readUnknownTexts(pool, { first: size, after: after || undefined }),
      countUnknownTexts(pool),
    ]);
    return { nodes: rows, hasMore, endCursor: rows.at(-1)?.id ?? null, total };
  }

  @FieldResolver(() => TextState, { description: "The state of the user's text messages." })
  async texts(@Root() user: User, @Ctx() context: Context): Promise<TextState> {
    const { pool, texter, textsFrom } = context.parts.phone;
    const state = await readPhoneState(pool, user.id);
    return {
      available: texter !== null,
      stopped: state.textsStopped,
      codeExpiresAt: state.codeExpiresAt,
      usedThisMonth: state.textsThisMonth,
      monthlyLimit: state.monthlyTexts,
      from: textsFrom,
    };
  }
}
