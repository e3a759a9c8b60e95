import { type ObjectSchema, object } from 'yup';
import { emailAddress, emailInvalid, text, tooLong } from './fields.ts';

export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 200;

/** A password that is set. @param name names it in the messages */
export function newPassword(name: string) {
  const short = `${name} must be at least ${PASSWORD_MIN} characters`;
  return text().required(short).min(PASSWORD_MIN, short).max(PASSWORD_MAX, tooLong(name, PASSWORD_MAX));
}

/** Names of fewer characters stand in too many words. */
const NAME_MIN = 4;

function holdsName(password: string, name: string): boolean {
  const plain = name.trim().toLowerCase();
  return [...plain].length >= NAME_MIN && password.toLowerCase().includes(plain);
}

/** Says what is wrong with a password that contains its user's name. */
export function namesFault(
  password: string,
  { username, email }: { username: string; email?: string | null | undefined },
): string | undefined {
  if (holdsName(password, username)) return 'The password must not contain your username.';
  const name = email?.trim().split('@')[0] ?? '';
  return holdsName(password, name) ? 'The password must not contain the name in your email address.' : undefined;
}

const currentPassword = { currentPassword: text().required('Current password is required') };
const nextPassword = { newPassword: newPassword('New password') };

/** The dialog that asks for the current password. */
export const currentPasswordSchema = object(currentPassword);

/** The new password of a reset. */
export const resetPasswordSchema = object(nextPassword);

/** The change of a password. */
export const changePasswordSchema = object({ ...currentPassword, ...nextPassword });

const confirmRequired = 'Confirm password is required';

/** Adds the second typing of the new password, which only the form knows. */
export const typedTwice = <T extends { newPassword: string }>(schema: ObjectSchema<T>) =>
  schema.shape({
    confirmPassword: text()
      .required(confirmRequired)
      .min(PASSWORD_MIN, confirmRequired)
      .test('same', 'Passwords do not match', (again, { parent }) => again === parent.newPassword),
  });

/** The form that asks for a link with which a forgotten password is replaced. */
export const forgotPasswordSchema = object({ email: emailAddress(text().required(emailInvalid)) });
