import { object } from 'yup';
import { emailAddress, generic, text, tooLong } from './fields.ts';

/** Blanks, and format characters that show nothing, are no text. */
const somethingVisible = /[^\s\p{Cf}]/u;

const needed = () =>
  text()
    .trim()
    .required(generic.required)
    .test('visible', generic.required, (value) => somethingVisible.test(value));

const neededText = (name: string, most: number) => needed().max(most, tooLong(name, most));

/** The contact form: all four fields are needed. */
export const contactSchema = object({
  name: neededText('Name', 100),
  email: emailAddress(needed()),
  subject: neededText('Subject', 200),
  message: neededText('Message', 5_000),
});
