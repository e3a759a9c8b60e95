import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { checkContactMessage } from '../../contact/contact-input.ts';
import { sendContactMessage } from '../../contact/send-contact-message.ts';
import type { Context } from '../context.ts';
import { ContactInput } from '../inputs/contact.ts';
import { Message } from './message.ts';

@Resolver()
export class ContactResolver {
  @Mutation(() => Message, {
    description: 'Sends a message to the operators of this LotWatch. Visitors may use it too.',
  })
  async sendContactMessage(
    @Arg('input', () => ContactInput, { description: 'The message.' }) input: ContactInput,
    @Ctx() { parts, viewer, address, em }: Context,
  ): Promise<Message> {
    const message = checkContactMessage(input);
    await parts.limits.contactMessage(viewer?.id ?? null, address);
    await sendContactMessage(em, parts.site.settings, viewer?.id ?? null, message);
    return { message: `Thank you for your message. We answer to ${message.email}.` };
  }
}
