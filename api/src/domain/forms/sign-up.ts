import { object } from 'yup';
import { ifShort, isPlainName, shortText } from './fields.ts';
import { nameInPasswordFault, newPassword, PASSWORD_MAX } from './password.ts';
import { contactFields } from './profile.ts';

const USERNAME_MAX = 40;

const nameIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The registration form. Only the server checks whether the password is one of the most common ones. */
export const signUpSchema = object({
  username: shortText('Username', USERNAME_MAX)
    .required('Username is required')
    .test('plain', 'Username must be plain text', ifShort(USERNAME_MAX, isPlainName)),
  password: newPassword('Password').test('names', (password, { parent, createError }) => {
    if (!password || password.length > PASSWORD_MAX) return true;
    const { username, email }: Record<string, unknown> = parent;
    const message = nameInPasswordFault(password, { username: nameIn(username), email: nameIn(email) });
    return message === undefined || createError({ message });
  }),
  ...contactFields,
});
