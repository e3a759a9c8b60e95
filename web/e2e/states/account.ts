import type { Page } from 'playwright-core';
import { answering, failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import { PASSWORD, type Person } from '../browser/session.ts';
import { mailedStates } from './mailed.ts';
import { settingsStates } from './settings.ts';
import type { State } from './state.ts';

const fill = async (page: Page, values: Record<string, string>): Promise<void> => {
  for (const [name, value] of Object.entries(values)) await page.locator(`input[name=${name}]`).fill(value);
};
const send = (page: Page) => page.locator('main form button[type=submit]').click();
const register = (page: Page) => page.getByRole('tab').nth(1).click();
const signOut = (page: Page) => page.context().clearCookies();

async function logIn(page: Page, username = 'somebody', password = PASSWORD): Promise<void> {
  await fill(page, { username, password });
  await send(page);
}

async function signUp(page: Page, { name }: Person): Promise<void> {
  await register(page);
  await fill(page, { username: `${name}b`, password: PASSWORD, email: `${name}b@example.com` });
  await send(page);
}

const saying = (message: string) => ({ __typename: 'Message', message });
const busy = { message: 'Too many tries. Please wait a moment and try again.', code: 'RATE_LIMITED' };

const authStates: readonly State[] = [
  {
    name: 'auth/login',
    who: 'visitor',
    path: '/auth',
    texts: ['Login', 'Register', 'Sign In'],
    also: ['Forgot password?'],
  },
  {
    name: 'auth/login-refused',
    who: 'visitor',
    path: '/auth',
    texts: ['Username is required', 'Password is required'],
    act: send,
  },
  {
    name: 'auth/signing-in',
    who: 'visitor',
    path: '/auth',
    sizes: ['desktop'],
    texts: ['Signing in...'],
    prepare: (page) => holding(page, 'Login'),
    act: (page) => logIn(page),
  },
  {
    name: 'auth/login-failed',
    who: 'visitor',
    path: '/auth',
    texts: ['Login failed', 'Invalid username or password'],
    act: (page) => logIn(page),
  },
  {
    name: 'auth/login-broken',
    who: 'visitor',
    path: '/auth',
    sizes: ['desktop'],
    texts: ['Login failed', 'Server returned HTML instead of JSON. API endpoint may be misconfigured.'],
    prepare: (page) => failing(page, 'Login', 'html'),
    act: (page) => logIn(page),
  },
  {
    name: 'auth/logged-in',
    who: 'new',
    path: '/auth',
    sizes: ['desktop'],
    texts: ['Login successful', 'Welcome back, {name}!', 'No Alerts Set Up'],
    prepare: signOut,
    act: (page, _world, me) => logIn(page, me.name),
  },
  {
    name: 'auth/register',
    who: 'visitor',
    path: '/auth',
    texts: ['Create Account'],
    also: [
      'Email or phone is needed to receive alerts. They are used only for notifications and can be changed later without affecting login.',
    ],
    act: register,
  },
  {
    name: 'auth/register-refused',
    who: 'visitor',
    path: '/auth',
    texts: [
      'Username is required',
      'Password must be at least 6 characters',
      'Either email or phone is required for notifications',
    ],
    async act(page) {
      await register(page);
      await send(page);
    },
  },
  {
    name: 'auth/register-wrong-email',
    who: 'visitor',
    path: '/auth',
    sizes: ['phone'],
    texts: ['Please enter a valid email'],
    async act(page) {
      await register(page);
      await fill(page, { username: 'somebody', password: PASSWORD, email: 'nowhere' });
      await send(page);
    },
  },
  {
    name: 'auth/creating-account',
    who: 'new',
    path: '/auth',
    sizes: ['desktop'],
    texts: ['Creating account...'],
    async prepare(page) {
      await signOut(page);
      await holding(page, 'Register');
    },
    act: (page, _world, me) => signUp(page, me),
  },
  {
    name: 'auth/registration-failed',
    who: 'visitor',
    path: '/auth',
    texts: ['Registration failed'],
    also: ['Username already exists'],
    async act(page, { people }) {
      await register(page);
      await fill(page, { username: people.user.name, password: PASSWORD, email: 'somebody@example.com' });
      await send(page);
    },
  },
  {
    name: 'auth/registered',
    who: 'new',
    path: '/auth',
    sizes: ['phone'],
    texts: ['Registration successful', 'Your account has been created.', 'No Alerts Set Up'],
    prepare: signOut,
    act: (page, _world, me) => signUp(page, me),
  },
];

const resetting = '/reset-password/a-token';

async function setPassword(page: Page, confirmPassword = 'secret-2'): Promise<void> {
  await fill(page, { newPassword: 'secret-2', confirmPassword });
  await send(page);
}

/** A dealer's access that continues after a password reset. */
const access = {
  __typename: 'ResetAccess',
  apiKeys: [
    {
      __typename: 'ApiKey',
      id: '2',
      name: 'Inventory sync',
      prefix: 'lw_live_4fQ2x9Ab',
      lastUsedAt: '2026-11-20T12:00:00.000Z',
    },
    { __typename: 'ApiKey', id: '1', name: 'A trial', prefix: 'lw_live_Zq81mK0c', lastUsedAt: null },
  ],
  webhooks: [
    { __typename: 'WebhookHost', id: '1', host: 'hooks.dealer.example', createdAt: '2026-11-02T12:00:00.000Z' },
  ],
};

const linkStates: readonly State[] = [
  {
    name: 'forgot-password/empty',
    who: 'visitor',
    path: '/forgot-password',
    texts: [],
    also: ['Forgot your password?', 'Send Link'],
  },
  {
    name: 'forgot-password/refused',
    who: 'visitor',
    path: '/forgot-password',
    sizes: ['phone'],
    texts: ['Please enter a valid email'],
    act: send,
  },
  {
    name: 'forgot-password/sent',
    who: 'visitor',
    path: '/forgot-password',
    texts: [],
    also: ['Check your mail', /a link is on its way to it/],
    async act(page) {
      await fill(page, { email: 'nobody@example.com' });
      await send(page);
    },
  },
  {
    name: 'forgot-password/failed',
    who: 'visitor',
    path: '/forgot-password',
    sizes: ['desktop'],
    texts: ['Error'],
    also: [busy.message],
    prepare: (page) => failing(page, 'RequestPasswordReset', busy),
    async act(page) {
      await fill(page, { email: 'nobody@example.com' });
      await send(page);
    },
  },
  {
    name: 'reset-password/empty',
    who: 'visitor',
    path: resetting,
    texts: [],
    also: ['Set a new password', 'Set New Password'],
  },
  {
    name: 'reset-password/loading',
    isLong: true,
    who: 'visitor',
    path: resetting,
    sizes: ['desktop'],
    texts: [],
    also: ['Loading the form'],
    prepare: (page) => holding(page, 'ResetAccess'),
  },
  {
    name: 'reset-password/access',
    isLong: true,
    who: 'visitor',
    path: resetting,
    texts: [],
    also: ['End these too', 'API key “Inventory sync”', 'Webhook to hooks.dealer.example'],
    prepare: (page) => answering(page, 'ResetAccess', { resetAccess: access }),
  },
  {
    name: 'reset-password/access-unknown',
    isLong: true,
    who: 'visitor',
    path: resetting,
    sizes: ['phone'],
    texts: [],
    also: [/^We couldn't check this account for API keys/],
    prepare: (page) => failing(page, 'ResetAccess', INTERNAL_ERROR),
  },
  {
    name: 'reset-password/refused',
    who: 'visitor',
    path: resetting,
    sizes: ['phone'],
    texts: ['New password must be at least 6 characters', 'Confirm password is required'],
    act: send,
  },
  {
    name: 'reset-password/wrong-link',
    who: 'visitor',
    path: resetting,
    texts: [],
    also: ["This link didn't work", 'Get a New Link', 'This link is not valid. Please ask for a new one.'],
    act: (page) => setPassword(page),
  },
  {
    name: 'reset-password/failed',
    who: 'visitor',
    path: resetting,
    sizes: ['desktop'],
    texts: ['Password change failed'],
    prepare: (page) => failing(page, 'ResetPassword', 'offline'),
    act: (page) => setPassword(page),
  },
  {
    name: 'reset-password/done',
    who: 'visitor',
    path: resetting,
    texts: ['Password changed', 'Sign In'],
    also: ['The password of ana has been changed. You can sign in with it now.'],
    prepare: (page) =>
      answering(page, 'ResetPassword', {
        resetPassword: saying('The password of ana has been changed. You can sign in with it now.'),
      }),
    act: (page) => setPassword(page),
  },
];

export const accountStates: readonly State[] = [...authStates, ...linkStates, ...mailedStates, ...settingsStates];
