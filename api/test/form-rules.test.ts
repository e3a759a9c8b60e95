import { validateYupSchema, yupToFormErrors } from 'formik';
import { expect, it } from 'vitest';
import * as account from '../../web/src/features/account/account-schemas.ts';
import { alertFormSchema } from '../../web/src/features/alert-form/alert-form-schema.ts';
import { alertFormDefaults, toAlertInput } from '../../web/src/features/alert-form/alert-form-values.ts';
import { contactSchema } from '../../web/src/features/contact/contact-schema.ts';
import { deletionSchema } from '../../web/src/features/rights/deletion-schema.ts';
import {
  checkEmail,
  checkLogin,
  checkNewPassword,
  checkPasswordChange,
  checkProfile,
  checkRegistration,
} from '../src/accounts/account-input.ts';
import { readAlertFields } from '../src/alerts/alert-input.ts';
import { AppError } from '../src/base/errors.ts';
import { checkContactMessage } from '../src/contact/contact-input.ts';
import { isPlainName } from '../src/domain/form-rules.ts';
import { readReason } from '../src/rights/deletion-requests.ts';

type Values = Record<string, unknown>;

/** What the form says, as Formik asks its schema. */
async function formErrors(schema: Parameters<typeof validateYupSchema>[1], values: Values): Promise<unknown> {
  try {
    await validateYupSchema(values, schema);
    return {};
  } catch (error) {
    return yupToFormErrors(error);
  }
}

/** What the server says of the same values. */
function serverErrors(check: () => unknown): unknown {
  try {
    check();
    return {};
  } catch (error) {
    if (error instanceof AppError) return error.fields;
    throw error;
  }
}

/** Both say the same of the same fields; and they do say something. */
async function expectAlike(form: Promise<unknown>, server: unknown, isRefused: boolean): Promise<void> {
  const said = await form;
  expect(said).toEqual(server);
  expect(Object.keys(Object(said)).length > 0).toBe(isRefused);
}

const emails = ['nowhere', 'a@b', 'a@b.c d', `${'a'.repeat(245)}@example.com`, 'ä@example.com', 'a@-b.com'];
const phones = ['5'.repeat(31), '555\u00070100'];

it.each([
  { username: '', password: '' },
  { username: '  ', password: 'x' },
  { username: 'ana', password: '' },
])('form and server refuse the same logins: %j', async ({ username, password }) => {
  await expectAlike(
    formErrors(account.loginSchema, { username, password }),
    serverErrors(() => checkLogin(username, password)),
    true,
  );
});

/** As somebody might write whom others take for 'admin'. */
const unseenNames = [
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

it('takes names of every script and whole emoji, and none with what can not be seen', () => {
  for (const name of ['José', 'مرحبا', '山田', '👩\u200d🔧 Mo', '❤\ufe0f\u200d🔥', '👍🏽', 'a b'])
    expect([name, isPlainName(name)]).toEqual([name, true]);
  for (const name of unseenNames) expect([name, isPlainName(name)]).toEqual([name, false]);
});

const ana = { username: 'ana', password: 'secret', email: 'ana@example.com', phone: '' };

it.each([
  { username: '', password: '', email: '', phone: '' },
  { ...ana, username: 'a'.repeat(41) },
  { ...ana, username: 'a\u0001b' },
  ...unseenNames.map((username) => ({ ...ana, username })),
  { ...ana, password: '12345' },
  { ...ana, password: 'p'.repeat(201) },
  { ...ana, username: 'anabel', password: 'my-Anabel-1' },
  { ...ana, email: 'anabel@example.com', password: 'my-Anabel-1' },
  { ...ana, email: ' ', phone: ' ' },
  ...emails.map((email) => ({ ...ana, email })),
  ...phones.map((phone) => ({ ...ana, phone })),
])('form and server refuse the same registrations: %j', async (values) => {
  await expectAlike(
    formErrors(account.registerSchema, values),
    serverErrors(() => checkRegistration(values)),
    true,
  );
});

it.each([
  ana,
  { ...ana, username: ' a'.repeat(20), password: '123456' },
  { ...ana, password: 'p'.repeat(200), email: `${'a'.repeat(242)}@example.com` },
  { ...ana, email: '', phone: '5'.repeat(30) },
])('form and server take the same registrations: %j', async (values) => {
  await expectAlike(
    formErrors(account.registerSchema, values),
    serverErrors(() => checkRegistration(values)),
    false,
  );
});

const camry = { ...alertFormDefaults, make: 'toyota', location: 'Austin, TX' };
const nextYear = String(new Date().getUTCFullYear() + 1);

const refusedAlerts = [
  { ...camry, make: '', location: ' ', radius: '' },
  { ...camry, location: 'x'.repeat(101) },
  { ...camry, yearMin: '1899' },
  { ...camry, yearMax: String(Number(nextYear) + 1) },
  { ...camry, yearMin: '2020', yearMax: '2015' },
  { ...camry, yearMin: '3000', yearMax: '2015' },
  { ...camry, priceMin: '900', priceMax: '100' },
  { ...camry, priceMax: '10000001' },
];
const takenAlerts = [camry, { ...camry, yearMin: '1900', yearMax: nextYear, priceMin: '', priceMax: '10000000' }];

it.each([
  ...refusedAlerts.map((values) => ({ values, isRefused: true })),
  ...takenAlerts.map((values) => ({ values, isRefused: false })),
])('form and server judge an alert alike: $values', async ({ values, isRefused }) => {
  const input = { ...toAlertInput(values), ...(values.radius === '' && { radius: null }) };
  const { faults } = readAlertFields(input, null, new Date());
  await expectAlike(formErrors(alertFormSchema, { ...values }), faults, isRefused);
});

const letter = { name: 'Ana', email: 'ana@example.com', subject: 'Hello', message: 'How are you?' };

it.each([
  { name: '', email: '', subject: '', message: '' },
  { name: ' ', email: '\t', subject: ' ', message: '\n' },
  { ...letter, name: 'a'.repeat(101), subject: 's'.repeat(201), message: 'm'.repeat(5001) },
  ...emails.map((email) => ({ ...letter, email })),
])('form and server refuse the same contact messages: %j', async (values) => {
  await expectAlike(
    formErrors(contactSchema, values),
    serverErrors(() => checkContactMessage(values)),
    true,
  );
});

it('form and server take the longest contact message', async () => {
  const most = { ...letter, name: 'a'.repeat(100), subject: 's'.repeat(200), message: ` ${'m'.repeat(5000)}\n` };
  await expectAlike(
    formErrors(contactSchema, most),
    serverErrors(() => checkContactMessage(most)),
    false,
  );
});

const profile = { email: 'ana@example.com', phone: '', timeZone: 'Europe/Rome' };

it.each([
  ...[{ ...profile, email: '' }, ...emails.map((email) => ({ ...profile, email }))],
  ...phones.map((phone) => ({ ...profile, phone })),
])('form and server refuse the same profiles: %j', async (values) => {
  await expectAlike(
    formErrors(account.profileSchema, values),
    serverErrors(() => checkProfile(values, profile)),
    true,
  );
});

it.each([profile, { ...profile, email: '', phone: 'any words' }])(
  'form and server take the same profiles: %j',
  async (values) => {
    await expectAlike(
      formErrors(account.profileSchema, values),
      serverErrors(() => checkProfile(values, profile)),
      false,
    );
  },
);

it.each([
  { currentPassword: '', newPassword: '', isRefused: true },
  { currentPassword: 'x', newPassword: '12345', isRefused: true },
  { currentPassword: 'x', newPassword: 'p'.repeat(201), isRefused: true },
  { currentPassword: 'x', newPassword: '123456', isRefused: false },
])('form and server judge a new password alike: %j', async ({ currentPassword, newPassword, isRefused }) => {
  // The second typing is the form's own.
  const confirmPassword = newPassword.padEnd(6, 'x');
  const { confirmPassword: _own, ...said } = Object(
    await formErrors(account.changePasswordSchema, { currentPassword, newPassword, confirmPassword }),
  );
  const server = serverErrors(() => checkPasswordChange(currentPassword, newPassword));
  await expectAlike(Promise.resolve(said), server, isRefused);
  const { confirmPassword: _too, ...reset } = Object(
    await formErrors(account.resetPasswordSchema, { newPassword, confirmPassword }),
  );
  await expectAlike(
    Promise.resolve(reset),
    serverErrors(() => checkNewPassword(newPassword)),
    isRefused,
  );
});

it.each([
  [{ confirmPassword: '' }, 'Confirm password is required'],
  [{ confirmPassword: '12345' }, 'Confirm password is required'],
  [{ confirmPassword: 'secret-2' }, 'Passwords do not match'],
])('the form wants the new password twice: %j', async (values, message) => {
  const errors = await formErrors(account.resetPasswordSchema, { newPassword: 'secret-1', ...values });
  expect(errors).toEqual({ confirmPassword: message });
});

it.each(['', ...emails])('form and server refuse the same addresses for a link: %j', async (email) => {
  await expectAlike(
    formErrors(account.forgotPasswordSchema, { email }),
    serverErrors(() => checkEmail(email)),
    true,
  );
});

it.each(['', ' ', 'r'.repeat(2_001)])('form and server refuse the same deletion requests: %j', async (reason) => {
  await expectAlike(
    formErrors(deletionSchema, { reason, confirmed: true }),
    serverErrors(() => readReason(reason)),
    true,
  );
});
