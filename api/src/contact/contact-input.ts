import { refuseInvalid } from '../base/errors.ts';
import { storableText } from '../domain/facts/storable-text.ts';
import { oneLine } from '../messages/mail-layout.ts';

export interface ContactInput {
  name: string;
  email: string;
  subject: string;
  message: string;
}

const bounds = { name: 100, subject: 200, message: 5000, email: 254 };
const emailShape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;
/** Spaces, and format characters that show nothing, are no text. */
const somethingVisible = /[^\s\p{Cf}]/u;

/** A field of one line: what was pasted with line ends or controls goes on as one, so nothing of it starts a header. */
const line = (text: string): string => storableText(oneLine(text));

function textFault(label: string, text: string, most: number): string | undefined {
  if (!somethingVisible.test(text)) return 'Required';
  return text.length > most ? `${label} can have at most ${most.toLocaleString('en-US')} characters` : undefined;
}

/**
 * A message as it is stored and mailed: trimmed, without control characters, its line ends LF.
 * @throws AppError VALIDATION with the messages of the contact form
 */
export function checkContactMessage(input: ContactInput): ContactInput {
  const checked = {
    name: line(input.name),
    email: input.email.trim(),
    subject: line(input.subject),
    message: storableText(input.message.replace(/\r\n?/g, '\n')).trim(),
  };
  const faults = {
    name: textFault('Name', checked.name, bounds.name),
    email: emailFault(checked.email),
    subject: textFault('Subject', checked.subject, bounds.subject),
    message: textFault('Message', checked.message, bounds.message),
  };
  refuseInvalid(
    Object.fromEntries(Object.entries(faults).filter((entry): entry is [string, string] => Boolean(entry[1]))),
  );
  return checked;
}

function emailFault(email: string): string | undefined {
  if (email === '') return 'Required';
  return email.length > bounds.email || !emailShape.test(email) ? 'Please enter a valid email' : undefined;
}
