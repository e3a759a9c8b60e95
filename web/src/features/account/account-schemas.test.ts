import { loginSchema } from '@lotwatch/api/forms/sign-in';
import { signUpSchema } from '@lotwatch/api/forms/sign-up';
import { validateYupSchema, yupToFormErrors } from 'formik';
import { expect, it } from 'vitest';

async function errorsOf(values: Record<string, string>, schema: typeof loginSchema | typeof signUpSchema) {
  try {
    await validateYupSchema(values, schema);
    return {};
  } catch (error) {
    return yupToFormErrors(error);
  }
}

const ana = { username: 'ana', password: 'secret', email: 'ana@example.com', phone: '' };
const contactNeeded = 'Either email or phone is required for notifications';
const tooShort = 'Password must be at least 6 characters';

it('asks for both fields of the login', async () => {
  expect(await errorsOf({ username: ' ', password: '' }, loginSchema)).toEqual({
    username: 'Username is required',
    password: 'Password is required',
  });
});

it.each([
  [ana, {}],
  [{ ...ana, email: '', phone: '555 0100' }, {}],
  [{ ...ana, email: '', phone: ' ' }, { email: contactNeeded }],
  [{ ...ana, email: 'nowhere' }, { email: 'Please enter a valid email' }],
  [{ ...ana, password: '12345' }, { password: tooShort }],
  [
    { ...ana, username: '', password: '' },
    { username: 'Username is required', password: tooShort },
  ],
])('checks a registration: %j', async (values, errors) => {
  expect(await errorsOf(values, signUpSchema)).toEqual(errors);
});
