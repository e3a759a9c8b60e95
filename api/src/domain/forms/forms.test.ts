import { validateYupSchema, yupToFormErrors } from 'formik';
import { describe, expect, it } from 'vitest';
import type { ObjectSchema } from 'yup';
import { type Faults, validateForm } from '../validate-form.ts';
import { alertSchema } from './alert.ts';
import { apiKeySchema } from './api-key.ts';
import { contactSchema } from './contact.ts';
import { deletionNotesSchema, deletionRequestSchema } from './deletion-request.ts';
import { isPlainName } from './fields.ts';
import { changePasswordSchema, forgotPasswordSchema, resetPasswordSchema, withConfirmation } from './password.ts';
import { profileSchema } from './profile.ts';
import { loginSchema } from './sign-in.ts';
import { signUpSchema } from './sign-up.ts';
import { webhookSchema } from './webhook.ts';

type Values = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: a schema with any fields
type AnyForm = ObjectSchema<any>;

/** The messages that a form shows, by the way in which Formik validates. */
async function shownBy(schema: AnyForm, values: Values): Promise<unknown> {
  try {
    await validateYupSchema({ ...values }, schema);
    return {};
  } catch (error) {
    return yupToFormErrors(error);
  }
}

/** Checks that the form and the server find the same faults. */
async function expectFaults(schema: AnyForm, values: Values, faults: Faults): Promise<void> {
  expect(validateForm(schema, values).faults).toEqual(faults);
  expect(await shownBy(schema, values)).toEqual(faults);
}

/** Names that look like 'admin' or have invisible characters. */
const deceptiveNames = [
  'ad\u200bmin',
  'admin\u200d',
  '\u200eadmin',
  '\u202enimda',
  '\u2066admin\u2069',
  'admin\ufeffa',
  'admin\ufe0f',
  'ad\u00admin',
  'admin\u3164',
  'admin\u{e0041}',
  '\u200b',
  'a\ud800',
];

it('accepts names of every script and emoji, and refuses those with invisible characters', () => {
  for (const name of ['José', 'مرحبا', '山田', '👩\u200d🔧 Mo', '❤\ufe0f\u200d🔥', '👍🏽', 'a b'])
    expect([name, isPlainName(name)]).toEqual([name, true]);
  for (const name of deceptiveNames) expect([name, isPlainName(name)]).toEqual([name, false]);
});

const emails = ['nowhere', 'a@b', 'a@b.c d', `${'a'.repeat(245)}@example.com`, 'ä@example.com', 'a@-b.com'];
const emailInvalid = { email: 'Please enter a valid email' };
const ana = { username: 'ana', password: 'secret', email: 'ana@example.com', phone: '' };
const profile = { email: 'ana@example.com', phone: '', timeZone: 'Europe/Rome' };
const letter = { name: 'Ana', email: 'ana@example.com', subject: 'Hello', message: 'How are you?' };
const camry = { make: 'toyota', location: 'Austin, TX', radius: 50 };
const hook = { url: 'https://lot.example/hook', events: ['match.created'], description: '' };
const nextYear = new Date().getUTCFullYear() + 1;

const usernameRequired = { username: 'Username is required' };
const usernameLong = { username: 'Username can have at most 40 characters' };
const usernamePlain = { username: 'Username must be plain text' };
const passwordShort = { password: 'Password must be at least 6 characters' };
const passwordLong = { password: 'Password can have at most 200 characters' };
const newShort = { newPassword: 'New password must be at least 6 characters' };
const newLong = { newPassword: 'New password can have at most 200 characters' };
const contactRequired = { email: 'Either email or phone is required for notifications' };
const phoneFaults = {
  ['5'.repeat(31)]: { phone: 'Phone can have at most 30 characters' },
  '555\u00070100': { phone: 'Phone must be plain text' },
};
const allRequired = { name: 'Required', email: 'Required', subject: 'Required', message: 'Required' };
const years = `Please enter a year from 1900 to ${nextYear}`;
const longLocationMessage = { location: 'Location can have at most 100 characters' };
const notesLong = { notes: 'Notes can have at most 2,000 characters' };
const dollars = 'Please enter whole dollars from 0 to 10,000,000';
const crossed = 'The minimum is above the maximum.';

type Refused = [form: string, schema: AnyForm, values: Values, faults: Faults];

const refused: Refused[] = [
  ['login', loginSchema, { username: '', password: '' }, { ...usernameRequired, password: 'Password is required' }],
  ['login', loginSchema, { username: '  ', password: 'x' }, usernameRequired],
  ['login', loginSchema, { username: 'ana', password: '' }, { password: 'Password is required' }],
  [
    'sign-up',
    signUpSchema,
    { username: '', password: '', email: '', phone: '' },
    { ...usernameRequired, ...passwordShort, ...contactRequired },
  ],
  ['sign-up', signUpSchema, { ...ana, username: 'a'.repeat(41) }, usernameLong],
  ['sign-up', signUpSchema, { ...ana, username: 'a\u0001b' }, usernamePlain],
  ...deceptiveNames.map((username): Refused => ['sign-up', signUpSchema, { ...ana, username }, usernamePlain]),
  ['sign-up', signUpSchema, { ...ana, password: '12345' }, passwordShort],
  ['sign-up', signUpSchema, { ...ana, password: 'p'.repeat(201) }, passwordLong],
  [
    'sign-up',
    signUpSchema,
    { ...ana, username: 'anabel', password: 'my-Anabel-1' },
    { password: 'The password must not contain your username.' },
  ],
  [
    'sign-up',
    signUpSchema,
    { ...ana, email: 'anabel@example.com', password: 'my-Anabel-1' },
    { password: 'The password must not contain the name in your email address.' },
  ],
  ['sign-up', signUpSchema, { ...ana, email: ' ', phone: ' ' }, contactRequired],
  ['profile', profileSchema, { ...profile, email: '' }, contactRequired],
  ...emails.flatMap((email): Refused[] => [
    ['sign-up', signUpSchema, { ...ana, email }, emailInvalid],
    ['profile', profileSchema, { ...profile, email }, emailInvalid],
    ['contact', contactSchema, { ...letter, email }, emailInvalid],
    ['forgotten password', forgotPasswordSchema, { email }, emailInvalid],
  ]),
  ['forgotten password', forgotPasswordSchema, { email: '' }, emailInvalid],
  ...Object.entries(phoneFaults).flatMap(([phone, fault]): Refused[] => [
    ['sign-up', signUpSchema, { ...ana, phone }, fault],
    ['profile', profileSchema, { ...profile, phone }, fault],
  ]),
  [
    'password',
    changePasswordSchema,
    { currentPassword: '', newPassword: '' },
    { currentPassword: 'Current password is required', ...newShort },
  ],
  ['password', changePasswordSchema, { currentPassword: 'x', newPassword: '12345' }, newShort],
  ['password', changePasswordSchema, { currentPassword: 'x', newPassword: 'p'.repeat(201) }, newLong],
  ['new password', resetPasswordSchema, { newPassword: 'p'.repeat(201) }, newLong],
  ['contact', contactSchema, { name: '', email: '', subject: '', message: '' }, allRequired],
  ['contact', contactSchema, { name: ' ', email: '\t', subject: ' ', message: '\n' }, allRequired],
  ['contact', contactSchema, { ...letter, name: '\u200b' }, { name: 'Required' }],
  [
    'contact',
    contactSchema,
    { ...letter, name: 'a'.repeat(101), subject: 's'.repeat(201), message: 'm'.repeat(5001) },
    {
      name: 'Name can have at most 100 characters',
      subject: 'Subject can have at most 200 characters',
      message: 'Message can have at most 5,000 characters',
    },
  ],
  ...['', ' '].map(
    (reason): Refused => [
      'deletion request',
      deletionRequestSchema,
      { reason },
      { reason: 'Please provide a reason for your deletion request.' },
    ],
  ),
  [
    'deletion request',
    deletionRequestSchema,
    { reason: 'r'.repeat(2_001) },
    { reason: 'Reason can have at most 2,000 characters' },
  ],
  ['deletion notes', deletionNotesSchema, { notes: 'n'.repeat(2_001) }, notesLong],
  ['API key', apiKeySchema, { name: ' ' }, { name: 'Please give the key a name' }],
  ['API key', apiKeySchema, { name: '🚗'.repeat(61) }, { name: 'Name can have at most 60 characters' }],
  ['API key', apiKeySchema, { name: 'ad\u200bmin' }, { name: 'Name must be plain text' }],
  [
    'webhook',
    webhookSchema,
    { url: ' ', events: [], description: 'a\nb' },
    {
      url: 'The address is required',
      events: 'Choose at least one event',
      description: 'The description must be one line of text',
    },
  ],
  [
    'webhook',
    webhookSchema,
    { ...hook, url: 'u'.repeat(2_001), description: 'd'.repeat(201) },
    {
      url: 'The address can have at most 2000 characters',
      description: 'The description can have at most 200 characters',
    },
  ],
  [
    'alert',
    alertSchema,
    { make: '', location: ' ', radius: '' },
    {
      make: 'Car make is required',
      location: 'Location is required',
      radius: 'Distance radius is required',
    },
  ],
  ['alert', alertSchema, { ...camry, location: 'x'.repeat(101) }, longLocationMessage],
  ['alert', alertSchema, { ...camry, radius: 51 }, { radius: 'Please choose 5, 10, 25, 50 or 100 miles' }],
  ['alert', alertSchema, { ...camry, yearMin: 1899 }, { yearMin: years }],
  ['alert', alertSchema, { ...camry, yearMax: nextYear + 1 }, { yearMax: years }],
  ['alert', alertSchema, { ...camry, yearMin: 2020, yearMax: 2015 }, { yearMin: crossed, yearMax: crossed }],
  ['alert', alertSchema, { ...camry, yearMin: 3000, yearMax: 2015 }, { yearMin: years }],
  ['alert', alertSchema, { ...camry, priceMin: 900, priceMax: 100 }, { priceMin: crossed, priceMax: crossed }],
  ['alert', alertSchema, { ...camry, priceMax: 10_000_001 }, { priceMax: dollars }],
  ['alert', alertSchema, { ...camry, priceMin: 1.5 }, { priceMin: dollars }],
];

it.each(refused)('the form and the server refuse with the same message: %s %#', (_form, schema, values, faults) =>
  expectFaults(schema, values, faults),
);

const accepted: [string, AnyForm, Values][] = [
  ['sign-up', signUpSchema, ana],
  ['sign-up', signUpSchema, { ...ana, username: ' a'.repeat(20), password: '123456' }],
  ['sign-up', signUpSchema, { ...ana, password: 'p'.repeat(200), email: `${'a'.repeat(242)}@example.com` }],
  ['sign-up', signUpSchema, { ...ana, email: '', phone: '5'.repeat(30) }],
  ['profile', profileSchema, profile],
  ['profile', profileSchema, { ...profile, email: '', phone: 'any words' }],
  ['password', changePasswordSchema, { currentPassword: 'x', newPassword: '123456' }],
  [
    'contact',
    contactSchema,
    { ...letter, name: 'a'.repeat(100), subject: 's'.repeat(200), message: ` ${'m'.repeat(5000)}\n` },
  ],
  ['API key', apiKeySchema, { name: '🚗'.repeat(60) }],
  ['webhook', webhookSchema, hook],
  ['alert', alertSchema, camry],
  ['alert', alertSchema, { ...camry, yearMin: 1900, yearMax: nextYear, priceMin: '', priceMax: 10_000_000 }],
];

it.each(accepted)('the form and the server accept the same: %s %#', async (_form, schema, values) => {
  await expectFaults(schema, values, {});
});

it.each([
  [{ confirmPassword: '' }, 'Confirm password is required'],
  [{ confirmPassword: '12345' }, 'Confirm password is required'],
  [{ confirmPassword: 'secret-2' }, 'Passwords do not match'],
])('the form requires the new password twice: %j', async (values, message) => {
  const errors = await shownBy(withConfirmation(resetPasswordSchema), { newPassword: 'secret-1', ...values });
  expect(errors).toEqual({ confirmPassword: message });
});

describe('the server', () => {
  it('refuses values of another type, which a form would convert', async () => {
    const texts = { ...camry, yearMin: '2015', radius: 'any', onlyWithImages: 'true' };
    expect(await shownBy(alertSchema, texts)).toEqual({});
    expect(validateForm(alertSchema, texts).faults).toEqual({
      yearMin: years,
      radius: 'Please choose 5, 10, 25, 50 or 100 miles',
      onlyWithImages: 'Please choose yes or no',
    });
    const odd = { toString: 1 };
    expect(validateForm(signUpSchema, { username: odd, password: odd, email: [odd], phone: 5 }).faults).toEqual({
      username: 'Invalid input',
      password: 'Invalid input',
      email: 'Invalid input',
      phone: 'Invalid input',
    });
    // Yup takes an object with this mark for a reference to another field.
    expect(validateForm(loginSchema, { username: { __isYupRef: true }, password: 'x' }).faults).toEqual({
      username: expect.any(String),
    });
  });

  it('reads only own properties that are fields of the schema', () => {
    const sent = JSON.parse('{"__proto__":{"username":"ana"},"password":"x","role":"admin"}');
    expect(validateForm(loginSchema, sent)).toEqual({
      values: { password: 'x' },
      faults: { username: 'Username is required' },
    });
    expect(validateForm(loginSchema, Object.create({ username: 'ana', password: 'x' })).values).toEqual({});
  });

  it('trims texts and fills in defaults', () => {
    const { values } = validateForm(alertSchema, { ...camry, location: ' Austin, TX\n', model: ' ', color: null });
    expect(values).toMatchObject({ location: 'Austin, TX', model: null, color: null, onlyWithImages: true });
  });

  it('validates texts of any length quickly', () => {
    const huge = ['a', 'b.', '👩\u200d', ' ', '\u0000'].map((part) => part.repeat(200_000 / part.length));
    huge.push(`a@${'b.'.repeat(100_000)}`);
    const started = performance.now();
    for (const text of huge) {
      validateForm(signUpSchema, { username: text, password: text, email: text, phone: text });
      validateForm(contactSchema, { name: text, email: text, subject: text, message: text });
      validateForm(apiKeySchema, { name: text });
      validateForm(alertSchema, { ...camry, make: text, model: text, location: text, color: text });
      validateForm(webhookSchema, { url: text, events: Array(100_000).fill(text), description: text });
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
