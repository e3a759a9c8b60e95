import { refuseInvalid } from '../base/errors.ts';
import { accountTexts, bounds, controlCharacters, emailShape, isPlainName, namesFault } from '../domain/form-rules.ts';
import { DEFAULT_TIME_ZONE, knownTimeZone } from '../domain/time-zone.ts';

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

/** Faults of the fields that say where alerts go; one of them must be there, which is said at the e-mail. */
function contactFaults(email: string | null, phone: string | null): Record<string, string> {
  const fields: Record<string, string> = {};
  if (email && !isEmail(email)) fields.email = accountTexts.emailInvalid;
  else if (!email && !phone) fields.email = accountTexts.contactRequired;
  if (phone && phone.length > bounds.phone) fields.phone = accountTexts.phoneLong;
  else if (phone && controlCharacters.test(phone)) fields.phone = accountTexts.phonePlain;
  return fields;
}

const isEmail = (text: string): boolean => text.length <= bounds.email && emailShape.test(text);

function newPasswordFault(password: string): string | undefined {
  if (password.length < bounds.passwordMin) return accountTexts.newPasswordShort;
  if (password.length > bounds.password) return accountTexts.newPasswordLong;
  return undefined;
}

/** @throws AppError VALIDATION with the messages of the registration form */
export function checkRegistration(input: RegistrationInput): Registration {
  const username = input.username.trim();
  const { password } = input;
  const email = input.email?.trim() || null;
  const phone = input.phone?.trim() || null;
  const fields: Record<string, string> = {};
  if (username === '') fields.username = accountTexts.usernameRequired;
  else if (username.length > bounds.username) fields.username = accountTexts.usernameLong;
  else if (!isPlainName(username)) fields.username = accountTexts.usernamePlain;
  if (password.length < bounds.passwordMin) fields.password = accountTexts.passwordShort;
  else if (password.length > bounds.password) fields.password = accountTexts.passwordLong;
  else {
    const fault = namesFault(password, { username, email });
    if (fault) fields.password = fault;
  }
  refuseInvalid({ ...fields, ...contactFaults(email, phone) });
  return { username, password, email, phone, timeZone: knownTimeZone(input.timeZone ?? '') ?? DEFAULT_TIME_ZONE };
}

/** @throws AppError VALIDATION with the messages of the login form */
export function checkLogin(username: string, password: string): void {
  const fields: Record<string, string> = {};
  if (username.trim() === '') fields.username = accountTexts.usernameRequired;
  if (password === '') fields.password = accountTexts.passwordRequired;
  refuseInvalid(fields);
}

/**
 * What the profile holds after a change: absent stays, `null` and '' clear. A cleared time zone is the default again.
 * @throws AppError VALIDATION with the messages of the profile's form
 */
export function checkProfile(input: ProfileInput, before: Profile): Profile {
  const given = (value: string | null | undefined, kept: string | null) =>
    value === undefined ? kept : value?.trim() || null;
  const email = given(input.email, before.email);
  const phone = given(input.phone, before.phone);
  const zone = given(input.timeZone, before.timeZone);
  const timeZone = zone === before.timeZone ? zone : knownTimeZone(zone ?? DEFAULT_TIME_ZONE);
  const fields = contactFaults(email, phone);
  if (timeZone === null) fields.timeZone = accountTexts.timeZoneUnknown;
  refuseInvalid(fields);
  return { email, phone, timeZone: timeZone ?? before.timeZone };
}

/** @throws AppError VALIDATION with the messages of the password's form */
export function checkPasswordChange(currentPassword: string, newPassword: string): void {
  const fields: Record<string, string> = {};
  if (currentPassword === '') fields.currentPassword = accountTexts.currentPasswordRequired;
  const fault = newPasswordFault(newPassword);
  if (fault) fields.newPassword = fault;
  refuseInvalid(fields);
}

/** @throws AppError VALIDATION */
export function checkNewPassword(newPassword: string): void {
  const fault = newPasswordFault(newPassword);
  if (fault) refuseInvalid({ newPassword: fault });
}

/** An address that somebody typed, trimmed. @throws AppError VALIDATION */
export function checkEmail(email: string): string {
  const address = email.trim();
  if (!isEmail(address)) refuseInvalid({ email: accountTexts.emailInvalid });
  return address;
}
