import { expect, it } from 'vitest';
import {
  type KeyChange,
  keyChangedMail,
  passwordChangedMail,
  pushAddedMail,
  type WebhookChange,
  webhookChangedMail,
} from './security-mails.ts';

const about = {
  username: 'ana',
  when: 'Nov 23, 2026, 12:40 PM EST',
  resetUrl: 'https://lotwatch.example/forgot-password',
};
const key: KeyChange = { what: 'made', name: 'Sync', prefix: 'lw_live_4fQ2x9Ab', mayWrite: true, worksUntil: null };
const webhook: WebhookChange = { what: 'added', host: 'cars.example', hostBefore: null, byKey: false };

it.each([
  [keyChangedMail(about, key), 'A new API key', ['“Sync” (lw_live_4fQ2x9Ab…)', 'read and change']],
  [keyChangedMail(about, { ...key, mayWrite: false }), 'A new API key', ['can read your alerts']],
  [
    keyChangedMail(about, { ...key, what: 'replaced', worksUntil: 'Nov 24, 2026, 12:40 PM EST' }),
    'An API key was replaced',
    ['The old one works until Nov 24, 2026, 12:40 PM EST.'],
  ],
  [keyChangedMail(about, { ...key, what: 'replaced' }), 'An API key was replaced', ['The old one ended at once.']],
  [keyChangedMail(about, { ...key, what: 'ended' }), 'An API key was revoked', ['Programs that use it are refused.']],
  [webhookChangedMail(about, webhook), 'A new webhook', ['a webhook to cars.example was added']],
  [
    webhookChangedMail(about, { ...webhook, what: 'moved', hostBefore: 'old.example' }),
    'A webhook has a new address',
    ['led to old.example', 'now leads to cars.example'],
  ],
  [
    webhookChangedMail(about, { ...webhook, what: 'changed', byKey: true }),
    'A webhook was changed',
    ['by a program with one of your API keys'],
  ],
  [webhookChangedMail(about, { ...webhook, what: 'new_secret' }), 'A webhook has a new secret', ['a new secret']],
  [webhookChangedMail(about, { ...webhook, what: 'deleted' }), 'A webhook was deleted', ['was deleted']],
  [
    pushAddedMail(about, { browser: 'Chrome', system: 'Android' }),
    'Push notifications on a new device',
    ['were turned on in Chrome on Android'],
  ],
  [pushAddedMail(about, { browser: null, system: null }), 'Push notifications on a new device', ['did not say which']],
  [
    passwordChangedMail(about, { how: 'changed' }, 'help@lotwatch.example'),
    'Your password was changed',
    ['knew the old one', 'help@lotwatch.example'],
  ],
  [
    passwordChangedMail(
      about,
      { how: 'reset', ended: { apiKeys: [key], webhooks: ['cars.example'] } },
      'help@lotwatch.example',
    ),
    'Your password was changed',
    ['a link that we had', 'the API key “Sync” (lw_live_4fQ2x9Ab…), the webhook to cars.example.'],
  ],
])('shows the time, the change and what to do: %#', ({ subject, text, html }, expected, words) => {
  expect(subject).toBe(expected);
  for (const word of [...words, about.when, 'ana', "If it wasn't", `Set a new password: ${about.resetUrl}`])
    expect(text).toContain(word);
  expect(html).toContain(about.resetUrl);
});

it('shows no name that a mail program could show as a link', () => {
  const hostile = { ...about, username: 'see evil.example' };
  const { text, html } = keyChangedMail(hostile, { ...key, name: 'sign in at https://evil.example/<b>' });
  expect(text + html).not.toMatch(/evil|<b>/);
});
