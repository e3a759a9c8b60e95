import express from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import { setUpServer } from '../../../test/set-up.ts';
import type { ConfirmationState } from '../../accounts/email/addresses.ts';
import { AppError } from '../../base/errors.ts';
import { silentLog } from '../../base/log.ts';
import { type AlertAction, signToken, type TokenClaims } from '../../domain/action-links.ts';
import { confirmLink } from './address-links.ts';
import { type AlertOfLink, alertLinks } from './alert-links.ts';
import { mailLinks } from './mail-links.ts';

const secret = 'a secret that is long enough for this';
let acts: string[] = [];
let failure: Error | null = null;
let exists = true;
let isActive = true;
let confirmation: ConfirmationState = 'open';

const act = (name: string) => async (alert: AlertOfLink) => {
  if (failure) throw failure;
  acts.push(`${name} ${alert.alertId} of ${alert.userId}`);
};

const server = setUpServer(
  express().use(
    mailLinks({
      secret,
      log: silentLog,
      count: async () => {},
      links: alertLinks({
        findAlert: async () => (exists ? { name: 'Toyota <Camry>', place: 'Los Angeles, CA' } : null),
        renew: async (alert) => {
          await act('renew')(alert);
          return { isActive };
        },
        pause: act('pause'),
        unsubscribe: act('unsubscribe'),
      }),
      confirm: confirmLink({
        readConfirmation: async () => confirmation,
        confirm: async ({ userId, email }) => {
          if (failure) throw failure;
          acts.push(`confirm ${email} of ${userId}`);
        },
      }),
    }),
  ),
);
beforeEach(() => {
  acts = [];
  failure = null;
  exists = true;
  isActive = true;
  confirmation = 'open';
});

const sign = (action: AlertAction, expiresAt: Date | null = null) =>
  signToken(secret, { action, alertId: 5, userId: 7, expiresAt });
const at = (token: string, init: RequestInit = {}) =>
  fetch(`${server.url}/m/${token}`, { redirect: 'manual', ...init });
const oneClick: RequestInit = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
};

it('the page after a renewal states that the alert is still inactive', async () => {
  isActive = false;
  const page = await (await at(sign('renew'), { method: 'POST' })).text();
  expect(page).toContain('still paused');
  expect(page).not.toContain('watches for 42 days');
});

describe.each(['renew', 'pause', 'unsubscribe'] as const)('the link %s', (action) => {
  it('shows one button on a GET, and changes nothing', async () => {
    for (const method of ['GET', 'HEAD']) expect((await at(sign(action), { method })).status).toBe(200);
    const page = await (await at(sign(action))).text();
    expect(page.match(/<button/g)).toHaveLength(1);
    expect(page).toContain('<form method="post">');
    expect(page).toContain('Toyota &lt;Camry&gt;');
    expect(acts).toEqual([]);
  });

  it('acts on every POST, from a browser or by a mail program’s one-click', async () => {
    const posted = await at(sign(action), { method: 'POST' });
    expect(posted.status).toBe(200);
    expect(await posted.text()).not.toContain('<button');
    expect((await at(sign(action), oneClick)).status).toBe(200);
    expect(acts).toEqual([`${action} 5 of 7`, `${action} 5 of 7`]);
  });

  it('explains that it has expired or was altered, or that its alert was deleted', async () => {
    const expired = await at(sign(action, new Date(Date.now() - 1000)), oneClick);
    expect(expired.status).toBe(410);
    const page = await expired.text();
    expect(page).toContain('expired');
    expect(page).toContain('href="/alert/5"');
    const changed = await at(`${sign(action)}x`, oneClick);
    expect(changed.status).toBe(400);
    expect(await changed.text()).toContain('doesn&#39;t work');
    exists = false;
    const gone = await at(sign(action), oneClick);
    expect(gone.status).toBe(410);
    expect(await gone.text()).toContain('no longer exists');
    expect(acts).toEqual([]);
  });
});

describe('/m/:token', () => {
  it('accepts no token that was signed for another action', async () => {
    const other: TokenClaims = { action: 'confirm-email', userId: 7, email: 'a@b.example' };
    expect((await at(signToken(secret, { ...other, expiresAt: null }), oneClick)).status).toBe(400);
  });

  it('runs no script, and sends its address to no other site', async () => {
    const { headers } = await at(sign('pause'));
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('explains that the plan does not allow the action, with a link', async () => {
    failure = new AppError('PLAN_LIMIT', 'The limit is 1 alert.', { needsUpgrade: true });
    const response = await at(sign('renew'), { method: 'POST' });
    expect(response.status).toBe(403);
    const page = await response.text();
    expect(page).toContain('The limit is 1 alert.');
    expect(page).toContain('href="/subscription"');
  });

  it('shows no details of an unknown error', async () => {
    failure = new Error('relation "alerts" is missing');
    const response = await at(sign('renew'), { method: 'POST' });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('relation');
  });

  it('answers other methods with 405 and the allowed ones', async () => {
    const response = await at(sign('renew'), { method: 'PUT' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});

describe('/confirm-email/:token', () => {
  const claims = { action: 'confirm-email', userId: 7, email: 'ada@example.com' } as const;
  const link = (expiresAt: Date | null = null) => signToken(secret, { ...claims, expiresAt });
  const visit = async (token: string, method = 'GET') => {
    const response = await fetch(`${server.url}/confirm-email/${token}`, { method, redirect: 'manual' });
    return { status: response.status, page: await response.text() };
  };

  it('shows one button on a GET, and acts when it is pressed', async () => {
    expect((await visit(link(), 'HEAD')).status).toBe(200);
    const asked = await visit(link());
    expect(asked.status).toBe(200);
    expect(asked.page.match(/<button/g)).toHaveLength(1);
    expect(asked.page).toContain('<form method="post">');
    expect(asked.page).toContain('ada@example.com');
    expect(acts).toEqual([]);
    const posted = await visit(link(), 'POST');
    expect(posted.page).toContain('Email confirmed');
    expect(posted.page).not.toContain('<button');
    expect(acts).toEqual(['confirm ada@example.com of 7']);
  });

  it('has no button where there is nothing to confirm', async () => {
    confirmation = 'confirmed';
    expect((await visit(link())).page).toContain('Email confirmed');
    confirmation = 'gone';
    const gone = await visit(link());
    expect(gone.status).toBe(410);
    expect(gone.page).toContain('Send again');
    expect(gone.page).not.toContain('<button');
  });

  it('explains why a link does not work, and checks tokens and methods', async () => {
    const late = await visit(link(new Date(Date.now() - 1000)), 'POST');
    expect([late.status, late.page.includes('expired')]).toEqual([410, true]);
    expect((await visit(`${link()}x`, 'POST')).status).toBe(400);
    expect((await visit(sign('pause'), 'POST')).status).toBe(400);
    expect((await visit(link(), 'PUT')).status).toBe(405);
    failure = new AppError('CONFLICT', 'This address belongs to another account.');
    const taken = await visit(link(), 'POST');
    expect([taken.status, taken.page.includes('belongs to another account')]).toEqual([409, true]);
    failure = new Error('relation "users" is missing');
    const ours = await visit(link(), 'POST');
    expect([ours.status, ours.page.includes('relation')]).toEqual([500, false]);
    expect(acts).toEqual([]);
  });
});
