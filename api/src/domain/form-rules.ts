/**
 * What the fields of forms may hold, and what is said where they don't. The server's checks and the web's schemas both
 * read it (there it is `@lotwatch/api/form-rules`), so nothing may be imported here.
 */

/** Bounds of fields, both included: characters unless the name says otherwise. */
export const bounds = {
  username: 40,
  passwordMin: 6,
  password: 200,
  email: 254,
  phone: 30,
  location: 100,
  name: 100,
  subject: 200,
  message: 5_000,
  reason: 2_000,
  notes: 2_000,
  keyName: 60,
  /** Hours that a replaced API key works on. */
  keyOverlap: 168,
  firstYear: 1900,
  /** Whole US dollars. */
  price: 10_000_000,
  /** Miles. */
  radii: [5, 10, 25, 50, 100] as readonly number[],
} as const;

/** The rule that browsers use for e-mail fields, and at least one dot in the domain. */
export const emailShape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** What people's numbers may not hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
export const controlCharacters = /[\u0000-\u001f\u007f]/;

const emoji =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*/gu;
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether all of a name can be seen, in the order in which it stands: with signs that show nothing or turn a line around
 * one person could bear the name of another. Within an emoji they are what joins it.
 */
export const isPlainName = (text: string): boolean => !unseen.test(text.replace(emoji, ''));

/** `10,000`; by hand, because a browser's first `toLocaleString` takes 10 ms, and these texts are made as a page starts. */
const grouped = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
const atMost = (name: string, most: number) => `${name} can have at most ${grouped(most)} characters`;

/** Where no text of a field's own is listed. */
export const generic = { required: 'Required', invalid: 'Invalid input' } as const;

/** Login, registration, profile, and passwords wherever they are set. */
export const accountTexts = {
  usernameRequired: 'Username is required',
  usernameLong: atMost('Username', bounds.username),
  usernamePlain: 'Username must be plain text',
  passwordRequired: 'Password is required',
  passwordShort: 'Password must be at least 6 characters',
  passwordLong: atMost('Password', bounds.password),
  passwordCommon: 'This password is one of the most common ones. Please choose another.',
  passwordHoldsUsername: 'The password must not contain your username.',
  passwordHoldsEmail: 'The password must not contain the name in your email address.',
  emailInvalid: 'Please enter a valid email',
  /** Stands at the e-mail field. */
  contactRequired: 'Either email or phone is required for notifications',
  phoneLong: atMost('Phone', bounds.phone),
  phonePlain: 'Phone must be plain text',
  timeZoneUnknown: 'Please choose a time zone from the list',
  currentPasswordRequired: 'Current password is required',
  currentPasswordWrong: 'Current password is incorrect',
  codeNeeded: 'Please enter the code from your authenticator app.',
  codeWrong: 'That code is wrong, or was used before. Please enter the newest one.',
  newPasswordShort: 'New password must be at least 6 characters',
  newPasswordSame: 'Please choose another password than the one you have',
  newPasswordLong: atMost('New password', bounds.password),
  confirmPasswordRequired: 'Confirm password is required',
  passwordsDiffer: 'Passwords do not match',
} as const;

/** Shorter names stand in too many words. */
const NAME_IN_PASSWORD = 4;

const holdsName = (password: string, name: string): boolean => {
  const plain = name.trim().toLowerCase();
  return [...plain].length >= NAME_IN_PASSWORD && password.toLowerCase().includes(plain);
};

/** What is wrong with a password that holds what its user is called. */
export function namesFault(
  password: string,
  { username, email }: { username: string; email?: string | null | undefined },
): string | undefined {
  if (holdsName(password, username)) return accountTexts.passwordHoldsUsername;
  const name = email?.trim().split('@')[0] ?? '';
  return holdsName(password, name) ? accountTexts.passwordHoldsEmail : undefined;
}

/** The last model year that an alert can ask for. */
export const lastYear = (now: Date): number => now.getUTCFullYear() + 1;

export const alertTexts = {
  makeRequired: 'Car make is required',
  makeUnknown: 'Please choose a make from the list',
  modelUnknown: 'Please choose a model of this make',
  locationRequired: 'Location is required',
  locationLong: atMost('Location', bounds.location),
  radiusRequired: 'Distance radius is required',
  radiusUnknown: 'Please choose 5, 10, 25, 50 or 100 miles',
  yearUnknown: (now: Date) => `Please enter a year from ${bounds.firstYear} to ${lastYear(now)}`,
  priceUnknown: `Please enter whole dollars from 0 to ${grouped(bounds.price)}`,
  colorUnknown: 'Please choose a color from the list',
  flagUnknown: 'Please choose yes or no',
  /** Stands at both ends. */
  crossed: 'The minimum is above the maximum.',
} as const;

export const contactTexts = {
  nameLong: atMost('Name', bounds.name),
  subjectLong: atMost('Subject', bounds.subject),
  messageLong: atMost('Message', bounds.message),
} as const;

/** Deletion requests, by their user and by the admin. */
export const deletionTexts = {
  reasonRequired: 'Please provide a reason for your deletion request.',
  reasonLong: atMost('Reason', bounds.reason),
  notesLong: atMost('Notes', bounds.notes),
} as const;

/** API keys. */
export const apiKeyTexts = {
  nameRequired: 'Please give the key a name',
  nameLong: atMost('Name', bounds.keyName),
  namePlain: 'Name must be plain text',
  scopesRequired: 'Please choose what the key may do',
  overlapUnknown: `Please enter whole hours from 0 to ${bounds.keyOverlap}`,
} as const;
