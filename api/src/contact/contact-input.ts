import { storableText } from '../domain/facts/listing-facts.ts';
import { contactSchema } from '../domain/forms/contact.ts';
import { parseForm } from '../domain/validate-form.ts';
import { oneLine } from '../messages/mail-layout.ts';

export interface ContactInput {
  name: string;
  email: string;
  subject: string;
  message: string;
}

/** Joins a text to one line without control characters, so that no part of it can start a mail header. */
const line = (text: string): string => storableText(oneLine(text));

/**
 * Reads a message as it is stored and mailed: trimmed, without control characters, with LF as line ends.
 * @throws AppError VALIDATION with the messages of the contact form
 */
export function checkContactMessage(input: ContactInput): ContactInput {
  return parseForm(contactSchema, {
    name: line(input.name),
    email: input.email,
    subject: line(input.subject),
    message: storableText(input.message.trim().replace(/\r\n?/g, '\n')),
  });
}
