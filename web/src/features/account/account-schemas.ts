import { object, string } from 'yup';

// Formik hands an empty text over as undefined.

/** Rules of the login form. */
export const loginSchema = object({
  username: string().trim().required('Username is required'),
  password: string().required('Password is required'),
});

const contactNeeded = 'Either email or phone is required for notifications';
const tooShort = 'Password must be at least 6 characters';

/** Rules of the register form; that one of email and phone is there is said at the email field. */
export const registerSchema = object({
  username: string().trim().required('Username is required').max(40, 'Username can have at most 40 characters'),
  password: string().required(tooShort).min(6, tooShort).max(200, 'Password can have at most 200 characters'),
  email: string()
    .trim()
    .email('Please enter a valid email')
    .max(254, 'Please enter a valid email')
    .test('contact', contactNeeded, (email, context) => {
      const phone: unknown = context.parent.phone;
      return Boolean(email) || (typeof phone === 'string' && phone.trim() !== '');
    }),
  phone: string().trim().max(30, 'Phone can have at most 30 characters'),
});
