import { type ObjectSchema, object } from 'yup';
import { emailAddress, emailInvalid, text, tooLong } from './fields.ts';

export const PASSWORD_MIN = 6;
export const PASSWORD_MAX = 200;

/** A new password. @param name of the field, for the messages */
export function newPassword(name: string) {
  const short = `${name} must be at least ${PASSWORD_MIN} characters`;
  return text().required(short).min(PASSWORD_MIN, short).max(PASSWORD_MAX, tooLong(name, PASSWORD_MAX));
}

/** Shorter names occur in too many passwords by chance. */
const NAME_MIN = 4;

function containsName(password: string, name: string): boolean {
  const plain = name.trim().toLowerCase();
  return [...plain].length >= NAME_MIN && password.toLowerCase().includes(plain);
}

/** The message for a password that contains its user's name; undefined if it doesn't. */
export function nameInPasswordFault(
  password: string,
  { username, email }: { username: string; email?: string | null | undefined },
): string | undefined {
  if (containsName(password, username)) return 'The password must not contain your username.';
  const name = email?.trim().split('@')[0] ?? '';
  return containsName(password, name) ? 'The password must not contain the name in your email address.' : undefined;
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

/** Adds the field in which the new password is repeated, which only the form has. */
export const withConfirmation = <T extends { newPassword: string }>(schema: ObjectSchema<T>) =>
  schema.shape({
    confirmPassword: text()
      .required(confirmRequired)
      .min(PASSWORD_MIN, confirmRequired)
      .test('same', 'Passwords do not match', (repeated, { parent }) => repeated === parent.newPassword),
  });

/** The form that asks for a link with which a forgotten password is replaced. */
export const forgotPasswordSchema = object({ email: emailAddress(text().required(emailInvalid)) });
