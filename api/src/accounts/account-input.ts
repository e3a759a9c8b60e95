import { refuseInvalid } from '../base/errors.ts';

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

/** The rule browsers use for e-mail fields, and at least one dot in the domain. */
const emailShape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const controlCharacters = /[\u0000-\u001f\u007f]/;

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
  if (password.length < 6) return 'Password must be at least 6 characters';
  if (password.length > 200) return 'Password must be at most 200 characters';
  return undefined;
}

/** @throws AppError VALIDATION with the messages of the registration form */
export function checkRegistration(input: RegistrationInput): Registration {
  const username = input.username.trim();
  const email = input.email?.trim() || null;
  const phone = input.phone?.trim() || null;
  const fields: Record<string, string> = {};
  if (username === '') fields.username = 'Username is required';
  else if (username.length > 40) fields.username = 'Username must be at most 40 characters';
  else if (controlCharacters.test(username)) fields.username = 'Username must be plain text';
  const fault = passwordFault(input.password);
  if (fault) fields.password = fault;
  if (email && (email.length > 254 || !emailShape.test(email))) fields.email = 'Please enter a valid email';
  else if (!email && !phone) fields.email = 'Either email or phone is required for notifications';
  if (phone && phone.length > 30) fields.phone = 'Phone must be at most 30 characters';
  else if (phone && controlCharacters.test(phone)) fields.phone = 'Phone must be plain text';
  refuseInvalid(fields);
  return { username, password: input.password, email, phone, timeZone: knownTimeZone(input.timeZone) };
}

/** @throws AppError VALIDATION with the messages of the login form */
export function checkLogin(username: string, password: string): void {
  const fields: Record<string, string> = {};
  if (username.trim() === '') fields.username = 'Username is required';
  if (password === '') fields.password = 'Password is required';
  refuseInvalid(fields);
}
