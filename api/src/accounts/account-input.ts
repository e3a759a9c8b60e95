import { refuseInvalid } from '../base/errors.ts';
import { accountTexts, bounds, controlCharacters, emailShape } from '../domain/form-rules.ts';

export interface Registration {
  username: string;
  password: string;
  email: string | null;
  phone: string | null;
  timeZone: string | null;
}

export interface RegistrationInput {
  username: string;
  password: string;
  email?: string | null;
  phone?: string | null;
  timeZone?: string | null;
}

/** A zone that the runtime knows, else null: browsers know zones that we may not. */
function knownTimeZone(zone: string | null | undefined): string | null {
  if (!zone || zone.length > 60) return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

function passwordFault(password: string): string | undefined {
  if (password.length < bounds.passwordMin) return accountTexts.passwordShort;
  if (password.length > bounds.password) return accountTexts.passwordLong;
  return undefined;
}

/** @throws AppError VALIDATION with the messages of the registration form */
export function checkRegistration(input: RegistrationInput): Registration {
  const username = input.username.trim();
  const email = input.email?.trim() || null;
  const phone = input.phone?.trim() || null;
  const fields: Record<string, string> = {};
  if (username === '') fields.username = accountTexts.usernameRequired;
  else if (username.length > bounds.username) fields.username = accountTexts.usernameLong;
  else if (controlCharacters.test(username)) fields.username = accountTexts.usernamePlain;
  const fault = passwordFault(input.password);
  if (fault) fields.password = fault;
  if (email && (email.length > bounds.email || !emailShape.test(email))) fields.email = accountTexts.emailInvalid;
  else if (!email && !phone) fields.email = accountTexts.contactRequired;
  if (phone && phone.length > bounds.phone) fields.phone = accountTexts.phoneLong;
  else if (phone && controlCharacters.test(phone)) fields.phone = accountTexts.phonePlain;
  refuseInvalid(fields);
  return { username, password: input.password, email, phone, timeZone: knownTimeZone(input.timeZone) };
}

/** @throws AppError VALIDATION with the messages of the login form */
export function checkLogin(username: string, password: string): void {
  const fields: Record<string, string> = {};
  if (username.trim() === '') fields.username = accountTexts.usernameRequired;
  if (password === '') fields.password = accountTexts.passwordRequired;
  refuseInvalid(fields);
}
