import { refuseInvalid } from '../base/errors.ts';
import { changePasswordSchema, forgotPasswordSchema, resetPasswordSchema } from '../domain/forms/password.ts';
import { profileSchema } from '../domain/forms/profile.ts';
import { loginSchema } from '../domain/forms/sign-in.ts';
import { signUpSchema } from '../domain/forms/sign-up.ts';
import { DEFAULT_TIME_ZONE, knownTimeZone } from '../domain/time-zone.ts';
import { parseForm, validateForm } from '../domain/validate-form.ts';

export interface Registration {
  username: string;
  password: string;
  email: string | null;
  phone: string | null;
  timeZone: string;
}

export interface RegistrationInput {
  username: string;
  password: string;
  email?: string | null;
  phone?: string | null;
  timeZone?: string | null;
}

/** What people can change of their account. */
export interface Profile {
  email: string | null;
  phone: string | null;
  timeZone: string;
}

export interface ProfileInput {
  email?: string | null;
  phone?: string | null;
  timeZone?: string | null;
}

/** @throws AppError VALIDATION with the messages of the registration form */
export function checkRegistration(input: RegistrationInput): Registration {
  const { username, password, email, phone } = parseForm(signUpSchema, input);
  return {
    username,
    password,
    email: email || null,
    phone: phone || null,
    timeZone: knownTimeZone(input.timeZone ?? '') ?? DEFAULT_TIME_ZONE,
  };
}

/** @throws AppError VALIDATION with the messages of the login form */
export function checkLogin(username: string, password: string): void {
  parseForm(loginSchema, { username, password });
}

/**
 * What the profile holds after a change: absent stays, `null` and '' clear. A cleared time zone is the default again.
 * @throws AppError VALIDATION with the messages of the profile's form
 */
export function checkProfile(input: ProfileInput, before: Profile): Profile {
  const { email = before.email, phone = before.phone, timeZone: typedZone = before.timeZone } = input;
  const { values, faults } = validateForm(profileSchema, { email, phone, timeZone: typedZone });
  const zone = values.timeZone || DEFAULT_TIME_ZONE;
  const timeZone = zone === before.timeZone ? zone : knownTimeZone(zone);
  if (timeZone === null) faults.timeZone = 'Please choose a time zone from the list';
  refuseInvalid(faults);
  return { email: values.email || null, phone: values.phone || null, timeZone: timeZone ?? before.timeZone };
}

/** @throws AppError VALIDATION with the messages of the password's form */
export function checkPasswordChange(currentPassword: string, newPassword: string): void {
  parseForm(changePasswordSchema, { currentPassword, newPassword });
}

/** @throws AppError VALIDATION */
export function checkNewPassword(newPassword: string): void {
  parseForm(resetPasswordSchema, { newPassword });
}

/** An address that somebody typed, trimmed. @throws AppError VALIDATION */
export function checkEmail(email: string): string {
  return parseForm(forgotPasswordSchema, { email }).email;
}
