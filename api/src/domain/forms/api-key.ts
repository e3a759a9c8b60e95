import { object } from 'yup';
import { isPlainName, text, tooLong, upTo } from './fields.ts';

const NAME_MAX = 60;

/** An emoji is one character here, and up to two of JavaScript's. */
const isShort = (name: string): boolean => name.length <= 2 * NAME_MAX && [...name].length <= NAME_MAX;

/** The form that makes an API key. */
export const apiKeySchema = object({
  name: text()
    .trim()
    .required('Please give the key a name')
    .test('max', tooLong('Name', NAME_MAX), (name) => !name || isShort(name))
    .test('plain', 'Name must be plain text', upTo(2 * NAME_MAX, isPlainName)),
});
