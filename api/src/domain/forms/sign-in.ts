import { object } from 'yup';
import { text } from './fields.ts';

export const codeNeeded = 'Please enter the code from your authenticator app.';

const login = {
  username: text().trim().required('Username is required'),
  password: text().required('Password is required'),
};
const appCode = { code: text().trim().required(codeNeeded) };

/** The login form. */
export const loginSchema = object(login);

/** The forms that ask for a code of the authenticator app. */
export const appCodeSchema = object(appCode);

/** The login form's second step. */
export const loginCodeSchema = object({ ...login, ...appCode });
