import { object } from 'yup';
import { emailAddress, generic, text, tooLong } from './fields.ts';

/** Neither blanks nor invisible format characters. */
const visibleCharacter = /[^\s\p{Cf}]/u;

const needed = () =>
  text()
    .trim()
    .required(generic.required)
    .test('visible', generic.required, (value) => visibleCharacter.test(value));

const neededText = (name: string, max: number) => needed().max(max, tooLong(name, max));

/** The contact form: all four fields are needed. */
export const contactSchema = object({
  name: neededText('Name', 100),
  email: emailAddress(needed()),
  subject: neededText('Subject', 200),
  message: neededText('Message', 5_000),
});
