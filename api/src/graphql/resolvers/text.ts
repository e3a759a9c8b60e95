import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { confirmPhone } from '../../accounts/phone/confirm-phone.ts';
import { sendPhoneCode } from '../../accounts/phone/send-phone-code.ts';
import { readPhoneState } from '../../accounts/phone/text-use.ts';
import { User } from '../../entities/user.ts';
import { countUnknownTexts, readUnknownTexts } from '../../notify/channels/sms/read-unknown-texts.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { readPageSize, refuseArgument } from '../page-size.ts';
import { Message } from '../types/message.ts';
import { TextState, UnknownTextPage } from '../types/text.ts';

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
    if (after && !UUID.test(after)) refuseArgument('after', 'This is no cursor of the texts.');
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
