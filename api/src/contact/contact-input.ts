import { storableText } from '../domain/facts/listing-facts.ts';
import { contactSchema } from '../domain/forms/contact.ts';
import { readForm } from '../domain/judge-form.ts';
import { oneLine } from '../messages/mail-layout.ts';

export interface ContactInput {
  name: string;
  email: string;
  subject: string;
  message: string;
}

/** A field of one line: what was pasted with line ends or controls goes on as one, so nothing of it starts a header. */
const line = (text: string): string => storableText(oneLine(text));

/**
 * A message as it is stored and mailed: trimmed, without control characters, its line ends LF.
 * @throws AppError VALIDATION with the messages of the contact form
 */
export function checkContactMessage(input: ContactInput): ContactInput {
  return readForm(contactSchema, {
    name: line(input.name),
    email: input.email,
    subject: line(input.subject),
    message: storableText(input.message.trim().replace(/\r\n?/g, '\n')),
  });
}
