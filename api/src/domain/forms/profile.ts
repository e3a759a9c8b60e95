import { object } from 'yup';
import { emailAddress, ifShort, isOneLine, shortText, text } from './fields.ts';

const PHONE_MAX = 30;

/** Where alerts are sent. The email field reports that both are missing. */
export const contactFields = {
  email: emailAddress(text()).test(
    'contact',
    'Either email or phone is required for notifications',
    (email, { parent }) => Boolean(email) || Boolean(parent.phone),
  ),
  phone: shortText('Phone', PHONE_MAX).test('line', 'Phone must be plain text', ifShort(PHONE_MAX, isOneLine)),
};

/** The profile in the settings. */
export const profileSchema = object({ ...contactFields, timeZone: text().trim() });
