import { type StringSchema, string } from 'yup';

/*
 * The schemas of this folder are the rules of the forms: the web client judges what was typed by them, the server
 * (`judge-form`) what was sent. They import nothing else of the server.
 */

/** Messages for fields that have none of their own. */
export const generic = { required: 'Required', invalid: 'Invalid input' } as const;

/** `10,000`, without `toLocaleString`: its first call takes 10 ms, and a browser makes these texts as a page starts. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

export const tooLong = (name: string, most: number): string => `${name} can have at most ${grouped(most)} characters`;

/** A text as it was typed. Formik and `judge-form` hand an empty one over as undefined. */
export const text = () => string().typeError(generic.invalid);

/** A trimmed text. @param name names the field in the message @param most characters */
export const shortText = (name: string, most: number) => text().trim().max(most, tooLong(name, most));

/** Makes a test run only on texts that have the right length, since Yup runs the tests behind a failed one too. */
export const upTo =
  (most: number, isRight: (value: string) => boolean) =>
  (value: string | undefined): boolean =>
    value === undefined || value === '' || value.length > most || isRight(value);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const controlCharacters = /[\u0000-\u001f\u007f]/;

/** Whether a text has no control characters, line ends among them. */
export const isOneLine = (value: string): boolean => !controlCharacters.test(value);

const emoji =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*/gu;
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether every character of a name is visible and stands in reading order: invisible characters, or those that turn a
 * line around, would let one person bear the name of another. Within an emoji they are allowed, as they join its parts.
 */
export const isPlainName = (value: string): boolean => !unseen.test(value.replace(emoji, ''));

const EMAIL_MAX = 254;
export const emailInvalid = 'Please enter a valid email';

/** The rule that browsers use for email fields, and at least one dot in the domain. */
const emailShape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** A trimmed email address. @param start what is tested first, such as that it is not left out */
export const emailAddress = <T extends string | undefined>(start: StringSchema<T>) =>
  start
    .trim()
    .max(EMAIL_MAX, emailInvalid)
    .test(
      'email',
      emailInvalid,
      upTo(EMAIL_MAX, (value) => emailShape.test(value)),
    );
