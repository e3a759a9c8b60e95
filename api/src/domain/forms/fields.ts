import { type StringSchema, string } from 'yup';
import { grouped } from '../plain-words.ts';

/*
 * The schemas of this folder validate both what was typed, in the web client, and what was sent, on the server (see
 * `validate-form.ts`). The web client bundles these files, so they import no other code of the server.
 */

/** Messages for fields without their own. */
export const generic = { required: 'Required', invalid: 'Invalid input' } as const;

export const tooLong = (name: string, max: number): string => `${name} can have at most ${grouped(max)} characters`;

/** A text as it was typed. Both Formik and `validateForm` pass an empty one as undefined. */
export const text = () => string().typeError(generic.invalid);

/** A trimmed text. @param name of the field, for the message @param max in UTF-16 units */
export const shortText = (name: string, max: number) => text().trim().max(max, tooLong(name, max));

/** Makes a test skip empty and overlong texts, as Yup runs all tests of a field even if its length is refused. */
export const ifShort =
  (max: number, isRight: (value: string) => boolean) =>
  (value: string | undefined): boolean =>
    value === undefined || value === '' || value.length > max || isRight(value);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const controlCharacters = /[\u0000-\u001f\u007f]/;

/** Whether a text has no control characters, which include line ends. */
export const isOneLine = (value: string): boolean => !controlCharacters.test(value);

const emoji =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*/gu;
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether a name has no invisible characters and none that change the writing direction, by which it could look like
 * somebody else's name. Within an emoji they are allowed, as they join its parts.
 */
export const isPlainName = (value: string): boolean => !invisible.test(value.replace(emoji, ''));

const EMAIL_MAX = 254;
export const emailInvalid = 'Please enter a valid email';

/** The rule of browsers for email fields, with at least one dot in the domain. Source: HTML, section 4.10.5.1.5. */
const emailShape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** A trimmed email address. @param start a schema whose rules are tested first, such as `required` */
export const emailAddress = <T extends string | undefined>(start: StringSchema<T>) =>
  start
    .trim()
    .max(EMAIL_MAX, emailInvalid)
    .test(
      'email',
      emailInvalid,
      ifShort(EMAIL_MAX, (value) => emailShape.test(value)),
    );
