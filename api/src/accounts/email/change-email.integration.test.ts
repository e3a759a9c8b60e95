import { beforeEach, describe, expect, it } from 'vitest';
import { cancel, has, makeOwners, type Owner, update } from '../../../test/accounts/address-owners.ts';
import { makeBrowser } from '../../../test/browser.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { purge } from '../../../test/until-done.ts';
import { linkExpiry, signToken } from '../../domain/action-links.ts';

const api = setUpApi({ env: { CONFIRM_EMAIL: 'on' } });
beforeEach(() => api.db.pool.query('delete from mails'));

const resend = 'mutation { resendConfirmation { message } }';
const reset = 'mutation ($token: String!) { resetPassword(token: $token, newPassword: "secret-2") { message } }';

const { owner, token, pressConfirm, undoPath, visit, pressUndo, stored, mails } = makeOwners(api);

describe('a changed address', () => {
  it('applies once it is confirmed; until then the account keeps the old one, which gets a mail', async () => {
    const me = await owner();
    expect(await me.change('a-new@example.test')).toEqual(has(me.old, 'a-new@example.test'));
    expect(await mails()).toEqual([
      { kind: 'address_change', to: me.old, data: { newAddress: 'a-new@example.test' } },
      { kind: 'confirm', to: 'a-new@example.test', data: {} },
    ]);
    await api.db.pool.query('delete from mails');
    expect(await pressConfirm(me, 'a-new@example.test')).toBe('confirmed');
    expect(await stored(me)).toEqual(has('a-new@example.test'));
    const data = { newAddress: 'a-new@example.test', canUndo: true };
    expect(await mails()).toEqual([{ kind: 'address_changed', to: me.old, data }]);
    expect(await pressConfirm(me, 'a-new@example.test')).toBe('confirmed');
    expect(await mails()).toHaveLength(1);
  });

  it('needs its confirmation even where new accounts need none', async () => {
    const open = await makeTestApi({ db: api.db });
    const { browser } = await open.user('easy');
    const { data } = await browser.gql(update, { email: 'easy-new@example.test' });
    const pending = { email: 'easy@example.test', pendingEmail: 'easy-new@example.test', emailConfirmed: false };
    expect(data.updateProfile).toEqual(pending);
    expect((await mails()).map(({ kind, to }) => [kind, to])).toEqual([
      ['address_change', 'easy@example.test'],
      ['confirm', 'easy-new@example.test'],
    ]);
    await open.close();
  });

  it('can be requested again, and cancelled', async () => {
    const me = await owner();
    await me.change('b-new@example.test');
    await api.db.pool.query('delete from mails');
    expect((await me.browser.gql(resend)).data.resendConfirmation.message).toBe(
      'We sent a link to b-new@example.test.',
    );
    expect((await mails()).map(({ kind, to }) => [kind, to])).toEqual([['confirm', 'b-new@example.test']]);
    expect((await me.browser.gql(cancel)).data.cancelEmailChange).toEqual(has(me.old));
    expect(await pressConfirm(me, 'b-new@example.test')).toBe('NOT_FOUND');
    expect(await stored(me)).toEqual(has(me.old));
    expect((await makeBrowser(api.url).gql(cancel)).errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('stays pending when the profile is saved with the current address, and is dropped when that is cleared', async () => {
    const me = await owner();
    await me.change('c-new@example.test');
    await api.db.pool.query('delete from mails');
    expect(await me.change(me.old)).toEqual(has(me.old, 'c-new@example.test'));
    expect(await me.change('c-new@example.test')).toEqual(has(me.old, 'c-new@example.test'));
    expect(await mails()).toEqual([]);
    expect(await me.change(null)).toEqual({ email: null, pendingEmail: null, emailConfirmed: false });
    expect(await pressConfirm(me, 'c-new@example.test')).toBe('NOT_FOUND');
  });

  it('is dropped when the password is reset by mail', async () => {
    const me = await owner();
    await me.change('thief-0@example.test');
    await makeBrowser(api.url).gql(`mutation ($email: String!) { requestPasswordReset(email: $email) { message } }`, {
      email: me.old,
    });
    const row = await api.db.row("select data ->> 'passwordMark' as mark from mails where kind = 'reset'");
    const claims = { action: 'reset', userId: me.id, passwordMark: row.mark } as const;
    const link = signToken(api.linkSecret, { ...claims, expiresAt: linkExpiry('reset', new Date()) });
    expect((await makeBrowser(api.url).gql(reset, { token: link })).errors).toEqual([]);
    expect(await pressConfirm(me, 'thief-0@example.test')).toBe('NOT_FOUND');
    expect(await stored(me)).toEqual(has(me.old));
  });

  it('makes the link to an earlier, unconfirmed address void, which may be a stranger’s', async () => {
    const { browser, id } = await api.user('typo');
    await browser.gql(update, { email: 'right@example.test' });
    const me = { id } as Owner;
    expect(await pressConfirm(me, 'typo@example.test')).toBe('NOT_FOUND');
    expect(await pressConfirm(me, 'right@example.test')).toBe('confirmed');
    expect(await stored(me)).toEqual(has('right@example.test'));
  });
});

describe('the link to a new address', () => {
  it('confirms nothing until its button is pressed, since mail scanners follow links', async () => {
    const me = await owner();
    await me.change('h-new@example.test');
    const path = `/confirm-email/${token('confirm-email', me.id, 'h-new@example.test')}`;
    for (const method of ['GET', 'GET'] as const) {
      const asked = await visit(path, method);
      expect(asked).toMatchObject({ status: 200, heading: 'Confirm your email' });
      expect(asked.page.match(/<button/g)).toHaveLength(1);
    }
    expect(await stored(me)).toEqual(has(me.old, 'h-new@example.test'));
    expect(await visit(path, 'POST')).toMatchObject({ status: 200, heading: 'Email confirmed' });
    expect(await stored(me)).toEqual(has('h-new@example.test'));
    expect(await visit(path, 'GET')).toMatchObject({ status: 200, heading: 'Email confirmed' });
    await pressUndo(me);
    for (const method of ['GET', 'POST'] as const) expect((await visit(path, method)).status).toBe(410);
  });

  it('confirms the address of a registration in the same way', async () => {
    const { browser, id } = await api.user('newcomer');
    const path = `/confirm-email/${token('confirm-email', id, 'newcomer@example.test')}`;
    expect((await visit(path, 'GET')).page).toContain('newcomer@example.test');
    expect((await browser.gql('{ me { emailConfirmed } }')).data.me.emailConfirmed).toBe(false);
    await visit(path, 'POST');
    expect((await browser.gql('{ me { emailConfirmed } }')).data.me.emailConfirmed).toBe(true);
  });
});

describe('the link to the old address', () => {
  it('shows one button first, and cancels a pending change when it is pressed', async () => {
    const me = await owner();
    await me.change('d-new@example.test');
    const asked = await visit(undoPath(me, me.old), 'GET');
    expect(asked).toMatchObject({ status: 200, heading: `Keep ${me.old}?` });
    expect(asked.page.match(/<button/g)).toHaveLength(1);
    expect(asked.page).toContain('d-new@example.test');
    expect(await stored(me)).toEqual(has(me.old, 'd-new@example.test'));
    expect(await pressUndo(me)).toBe('The change is cancelled');
    expect(await stored(me)).toEqual(has(me.old));
    expect(await pressConfirm(me, 'd-new@example.test')).toBe('NOT_FOUND');
    expect((await visit(undoPath(me, me.old), 'GET')).page).not.toContain('<button');
    expect(await pressUndo(me)).toBe('Your address was kept');
    expect((await me.browser.gql('{ me { id } }')).data.me).not.toBeNull();
  });

  it('restores the address after a change, ends all sessions and asks for a new password', async () => {
    const me = await owner();
    await me.change('e-new@example.test');
    await pressConfirm(me, 'e-new@example.test');
    await api.db.pool.query('delete from mails');
    const asked = await visit(undoPath(me, me.old), 'GET');
    expect(asked.heading).toBe(`Put ${me.old} back?`);
    expect(asked.page.match(/<button/g)).toHaveLength(1);
    expect(await stored(me)).toEqual(has('e-new@example.test'));
    await api.db.pool.query(
      `insert into shared_links (user_id, listing_ids, token_hash, expires_at)
       values ($1, '{1}', 'a hash', now() + interval '1 day')`,
      [me.id],
    );
    expect(await pressUndo(me)).toBe('Your address is back');
    expect(await stored(me)).toEqual(has(me.old));
    expect(await api.db.rows('select id from shared_links')).toEqual([]);
    expect((await me.browser.gql('{ me { id } }')).data).toEqual({ me: null });
    const refused = await makeBrowser(api.url).login(me.name);
    expect(refused.errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const sent = await mails();
    expect(sent.map(({ kind, to }) => [kind, to])).toEqual([
      ['address_changed', 'e-new@example.test'],
      ['reset', me.old],
    ]);
    const claims = { action: 'reset', userId: me.id, passwordMark: sent[1].data.passwordMark } as const;
    const link = signToken(api.linkSecret, { ...claims, expiresAt: linkExpiry('reset', new Date()) });
    expect((await makeBrowser(api.url).gql(reset, { token: link })).errors).toEqual([]);
    expect((await makeBrowser(api.url).login(me.name, 'secret-2')).errors).toEqual([]);
  });

  it('restores an address that was cleared', async () => {
    const me = await owner();
    await me.change(null);
    await me.change('thief-1@example.test');
    expect(await pressUndo(me)).toBe('Your address is back');
    expect(await stored(me)).toEqual(has(me.old));
  });

  it('still works after a second change, and after the thief’s own link was used', async () => {
    const me = await owner();
    for (const address of ['thief-2@example.test', 'thief-3@example.test']) {
      await me.change(address);
      expect(await pressConfirm(me, address)).toBe('confirmed');
    }
    expect(await pressUndo(me, 'thief-2@example.test')).toBe('Your address is back');
    expect(await stored(me)).toEqual(has('thief-2@example.test'));
    expect(await pressUndo(me)).toBe('Your address is back');
    expect(await stored(me)).toEqual(has(me.old));
    for (const address of ['thief-2@example.test', 'thief-3@example.test']) {
      expect(await visit(undoPath(me, address), 'GET')).toMatchObject({ status: 410 });
      expect(await pressUndo(me, address)).toBe('This link doesn&#39;t work any more');
    }
    expect(await stored(me)).toEqual(has(me.old));
  });

  it('stops working for the thief once the owner has changed the address back', async () => {
    const me = await owner();
    await me.change('thief-4@example.test');
    await pressConfirm(me, 'thief-4@example.test');
    await me.change(me.old);
    await api.db.pool.query('delete from mails');
    expect(await pressConfirm(me, me.old)).toBe('confirmed');
    const data = { newAddress: me.old, canUndo: false };
    expect(await mails()).toEqual([{ kind: 'address_changed', to: 'thief-4@example.test', data }]);
    expect(await pressUndo(me, 'thief-4@example.test')).toBe('This link doesn&#39;t work any more');
    expect(await stored(me)).toEqual(has(me.old));
  });

  it('works for 7 days, after which the former address is deleted', async () => {
    const me = await owner();
    await me.change('f-new@example.test');
    await pressConfirm(me, 'f-new@example.test');
    const late = `/m/${token('undo-email', me.id, me.old, new Date(Date.now() - 7 * 86_400_000))}`;
    expect((await visit(late, 'POST')).status).toBe(410);
    const { pool } = api.db;
    await pool.query("update former_emails set left_at = now() - interval '7 days' where user_id = $1", [me.id]);
    await purge(pool, 'former-emails');
    expect((await visit(undoPath(me, me.old), 'GET')).heading).toBe(`Put ${me.old} back?`);
    await pool.query("update former_emails set left_at = now() - interval '8 days' where user_id = $1", [me.id]);
    expect(await purge(pool, 'former-emails')).toMatchObject({ removed: 1 });
    expect((await visit(undoPath(me, me.old), 'POST')).status).toBe(410);
    expect(await stored(me)).toEqual(has('f-new@example.test'));
  });

  it('changes nothing when another account has confirmed the address meanwhile', async () => {
    const me = await owner();
    await me.change('g-new@example.test');
    await pressConfirm(me, 'g-new@example.test');
    await makeBrowser(api.url).register('later', { email: me.old });
    await api.db.pool.query("update users set email_confirmed_at = now() where username = 'later'");
    expect(await visit(undoPath(me, me.old), 'POST')).toMatchObject({ status: 409 });
    expect(await stored(me)).toEqual(has('g-new@example.test'));
    expect((await me.browser.gql('{ me { id } }')).data.me).not.toBeNull();
  });
});
