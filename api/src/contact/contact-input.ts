import { refuseInvalid } from '../base/errors.ts';
import { storableText } from '../domain/facts/listing-facts.ts';
import { accountTexts, bounds, contactTexts, emailShape, generic } from '../domain/form-rules.ts';
import { oneLine } from '../messages/mail-layout.ts';

export interface ContactInput {
  name: string;
  email: string;
  subject: string;
  message: string;
}

/** Spaces, and format characters that show nothing, are no text. */
const somethingVisible = /[^\s\p{Cf}]/u;

/** A field of one line: what was pasted with line ends or controls goes on as one, so nothing of it starts a header. */
const line = (text: string): string => storableText(oneLine(text));

/**
 * A message as it is stored and mailed: trimmed, without control characters, its line ends LF.
 * @throws AppError VALIDATION with the messages of the contact form
 */
export function checkContactMessage(input: ContactInput): ContactInput {
  const checked = {
    name: line(input.name),
    email: input.email.trim(),
    subject: line(input.subject),
    message: storableText(input.message.trim().replace(/\r\n?/g, '\n')),
  };
  const fields: Record<string, string> = {};
  const check = (name: keyof ContactInput, isFaulty: boolean, fault: string) => {
    if (!somethingVisible.test(checked[name])) fields[name] = generic.required;
    else if (isFaulty) fields[name] = fault;
  };
  check('name', checked.name.length > bounds.name, contactTexts.nameLong);
  const isAddress = checked.email.length <= bounds.email && emailShape.test(checked.email);
  check('email', !isAddress, accountTexts.emailInvalid);
  check('subject', checked.subject.length > bounds.subject, contactTexts.subjectLong);
  check('message', checked.message.length > bounds.message, contactTexts.messageLong);
  refuseInvalid(fields);
  return checked;
}
