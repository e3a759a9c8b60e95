import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { confirmPhone } from '../../accounts/phone/confirm-phone.ts';
import { sendPhoneCode } from '../../accounts/phone/send-phone-code.ts';
import { readPhoneState } from '../../accounts/phone/text-use.ts';
import { User } from '../../entities/user.ts';
import { countUnknownTexts, readUnknownTexts } from '../../notify/texts/read-unknown-texts.ts';
import { requireViewer } from '../../policies/caller.ts';
import type { Context } from '../context.ts';
import { readPageSize, refuseArgument } from '../page-size.ts';
import { Message } from '../types/message.ts';
import { TextState, UnknownTextPage } from '../types/text.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

@Resolver(() => User)
export class TextResolver {
  @Mutation(() => Message, {
    description:
      "Texts a code to the user's phone number, on paid plans: at most 3 in 10 minutes. The number is read as one of the US where it names no country.",
  })
  async sendPhoneCode(@Ctx() context: Context): Promise<Message> {
    const viewer = requireViewer(context);
    return { message: await sendPhoneCode(context.parts.phone, viewer.id) };
  }

  @Mutation(() => User, {
    description: 'Confirms the phone number with the newest code; 5 guesses a code. The number is then kept as E.164.',
  })
  async confirmPhone(
    @Arg('code', () => String, { description: 'The six digits that were texted.' }) code: string,
    @Ctx() context: Context,
  ): Promise<User> {
    const viewer = requireViewer(context);
    await confirmPhone(context.parts.phone, viewer.id, code);
    return context.em.findOneOrFail(User, { id: viewer.id });
  }

  @Query(() => UnknownTextPage, {
    description: 'Texts of which nobody knows whether the provider took them, the newest first; for the admin.',
  })
  async unknownTexts(
    @Arg('first', () => Int, { nullable: true, description: 'How many, 1 to 100; without it 20.' })
    first: number | null | undefined,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor: the page holds what is older.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<UnknownTextPage> {
    const { pool } = context.parts;
    const size = readPageSize(first);
    if (after && !UUID.test(after)) refuseArgument('after', 'This is no cursor of the texts.');
    const [{ rows, hasMore }, total] = await Promise.all([
      readUnknownTexts(pool, { first: size, after: after || undefined }),
      countUnknownTexts(pool),
    ]);
    return { nodes: rows, hasMore, endCursor: rows.at(-1)?.id ?? null, total };
  }

  @FieldResolver(() => TextState, { description: "What holds of the user's text messages." })
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
