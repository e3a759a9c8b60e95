import { accountTexts, bounds, controlCharacters, emailShape, isPlainName, namesFault } from '@lotwatch/api/form-rules';
import { object, string } from 'yup';

// Formik hands an empty text over as undefined.

const isPlain = (text: string | undefined) => !controlCharacters.test(text ?? '');

/** A password that is set, by the name that its messages call it. */
const newPassword = (short: string, long: string) =>
  string().required(short).min(bounds.passwordMin, short).max(bounds.password, long);

/** Where alerts are sent; the email field reports when both email and phone are missing. */
const contact = {
  email: string()
    .trim()
    .max(bounds.email, accountTexts.emailInvalid)
    .matches(emailShape, { message: accountTexts.emailInvalid, excludeEmptyString: true })
    .test('contact', accountTexts.contactRequired, (email, context) => {
      const phone: unknown = context.parent.phone;
      return Boolean(email) || (typeof phone === 'string' && phone.trim() !== '');
    }),
  phone: string().trim().max(bounds.phone, accountTexts.phoneLong).test('plain', accountTexts.phonePlain, isPlain),
};

/** Rules of the login form. */
export const loginSchema = object({
  username: string().trim().required(accountTexts.usernameRequired),
  password: string().required(accountTexts.passwordRequired),
});

/** Rules of the login form's second step. */
export const loginCodeSchema = loginSchema.shape({ code: string().trim().required(accountTexts.codeNeeded) });

/** Rules of the forms that ask for a code of the authenticator app. */
export const appCodeSchema = object({ code: string().trim().required(accountTexts.codeNeeded) });

/** Rules of the register form. */
export const registerSchema = object({
  username: string()
    .trim()
    .required(accountTexts.usernameRequired)
    .max(bounds.username, accountTexts.usernameLong)
    .test('plain', accountTexts.usernamePlain, (name) => isPlainName(name ?? '')),
  // Whether it is one of the most common ones, the server says.
  password: newPassword(accountTexts.passwordShort, accountTexts.passwordLong).test('names', (password, context) => {
    const { username, email }: { username?: string; email?: string } = context.parent;
    const fault = namesFault(password, { username: username ?? '', email });
    return fault === undefined || context.createError({ message: fault });
  }),
  ...contact,
});

/** Rules of the settings' profile. */
export const profileSchema = object({ ...contact, timeZone: string() });

const setPassword = {
  newPassword: newPassword(accountTexts.newPasswordShort, accountTexts.newPasswordLong),
  confirmPassword: string()
    .required(accountTexts.confirmPasswordRequired)
    .min(bounds.passwordMin, accountTexts.confirmPasswordRequired)
    .test('same', accountTexts.passwordsDiffer, (again, context) => again === context.parent.newPassword),
};

const currentPassword = { currentPassword: string().required(accountTexts.currentPasswordRequired) };

/** Rules of the password change. */
export const changePasswordSchema = object({ ...currentPassword, ...setPassword });

/** Rules of the dialog that asks for the password. */
export const currentPasswordSchema = object(currentPassword);

/** Rules of the page that a mailed link leads to. */
export const resetPasswordSchema = object(setPassword);

/** Rules of the form that asks for such a link. */
export const forgotPasswordSchema = object({
  email: string()
    .trim()
    .required(accountTexts.emailInvalid)
    .max(bounds.email, accountTexts.emailInvalid)
    .matches(emailShape, accountTexts.emailInvalid),
});
