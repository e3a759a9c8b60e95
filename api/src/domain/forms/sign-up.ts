import { object } from 'yup';
import { isPlainName, shortText, upTo } from './fields.ts';
import { namesFault, newPassword, PASSWORD_MAX } from './password.ts';
import { contactFields } from './profile.ts';

const USERNAME_MAX = 40;

const nameIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The registration form. Whether the password is one of the most common ones, the server finds out. */
export const signUpSchema = object({
  username: shortText('Username', USERNAME_MAX)
    .required('Username is required')
    .test('plain', 'Username must be plain text', upTo(USERNAME_MAX, isPlainName)),
  password: newPassword('Password').test('names', (password, { parent, createError }) => {
    if (!password || password.length > PASSWORD_MAX) return true;
    const { username, email }: Record<string, unknown> = parent;
    const message = namesFault(password, { username: nameIn(username), email: nameIn(email) });
    return message === undefined || createError({ message });
  }),
  ...contactFields,
});
