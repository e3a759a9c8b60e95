import { object } from 'yup';
import { ifShort, isPlainName, text, tooLong } from './fields.ts';

const NAME_MAX = 60;

/** Counts code points, as an emoji has up to two UTF-16 units. */
const isShort = (name: string): boolean => name.length <= 2 * NAME_MAX && [...name].length <= NAME_MAX;

/** The form that creates an API key. */
export const apiKeySchema = object({
  name: text()
    .trim()
    .required('Please give the key a name')
    .test('max', tooLong('Name', NAME_MAX), (name) => !name || isShort(name))
    .test('plain', 'Name must be plain text', ifShort(2 * NAME_MAX, isPlainName)),
});
