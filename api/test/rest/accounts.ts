import { describe, expect, it } from 'vitest';
import type { Person, World } from './world.ts';

const register = { username: 'carla', password: 'secret-1', email: 'carla@example.test' };

export function accounts(of: () => World): void {
  describe('the account', () => {
    it('registers, reads the account, signs out and signs in again', async () => {
      const { succeed, refuse } = of();
      const carla: Person = { id: 0, username: 'Carla', password: 'secret-1' };
      const body = { ...register, username: ' Carla ', phoneNumber: '(512) 555-0100', confirmPassword: 'x', shoe: 42 };
      const made = await succeed('POST /api/register', { as: carla, body });
      expect(made.body).toMatchObject({ username: 'Carla', email: register.email, phone: '(512) 555-0100' });
      const cookie = made.headers.getSetCookie()[0] ?? '';
      expect(cookie).toMatch(/; HttpOnly/i);
      expect(cookie).toMatch(/; SameSite=Lax/i);
      expect(cookie).toMatch(/; Path=\//i);
      expect((await succeed('GET /api/user', { as: carla })).body).toEqual(made.body);
      const before = { ...carla };
      const signedOut = await succeed('POST /api/logout', { as: carla });
      expect(signedOut.headers.getSetCookie()[0]).toMatch(/^lotwatch_session=;/);
      await refuse('UNAUTHENTICATED', 'GET /api/user', { as: before });
      const signedIn = await succeed('POST /api/login', {
        as: carla,
        body: { username: 'CARLA', password: 'secret-1' },
      });
      expect(signedIn.body).toEqual(made.body);
      await succeed('GET /api/user', { as: carla });
      // A visitor can sign out as well.
      await succeed('POST /api/logout', { as: of().visitor });
    });

    it.each<[what: string, change: object, fields: object]>([
      ['no name', { username: undefined }, { username: 'Username is required' }],
      ['an empty name', { username: '  ' }, { username: 'Username is required' }],
      ['a long name', { username: 'x'.repeat(41) }, { username: expect.any(String) }],
      ['no password', { password: undefined }, { password: expect.any(String) }],
      ['a short password', { password: '12345' }, { password: 'Password must be at least 6 characters' }],
      ['a long password', { password: 'x'.repeat(201) }, { password: expect.any(String) }],
      ['a bad address', { email: 'carla@' }, { email: 'Please enter a valid email' }],
      ['a long address', { email: `${'x'.repeat(250)}@a.test` }, { email: 'Please enter a valid email' }],
      ['neither address nor phone', { email: '' }, { email: 'Either email or phone is required for notifications' }],
      [
        'neither, given as null',
        { email: null, phone: null },
        { email: 'Either email or phone is required for notifications' },
      ],
      ['a long phone', { phone: '1'.repeat(31) }, { phone: expect.any(String) }],
      ...['id', 'userId', 'planId', 'role', 'createdAt', 'expiresAt', 'matchCount'].map(
        (name): [string, object, object] => [`a chosen ${name}`, { [name]: 1 }, { [name]: expect.any(String) }],
      ),
    ])('is refused with %s', async (_what, change, fields) => {
      const body = { ...register, username: 'dora', ...change };
      const reply = await of().refuse('VALIDATION', 'POST /api/register', { body });
      expect(reply.body.fields).toEqual(fields);
    });

    it('needs a unique name, ignoring case', async () => {
      const body = { ...register, username: 'ANA', email: 'other@example.test' };
      const reply = await of().refuse('CONFLICT', 'POST /api/register', { body });
      expect(reply.body.message).toBe('Username already exists');
    });

    it('opens only with its name and password', async () => {
      for (const body of [
        { username: 'ana', password: 'wrong-1' },
        { username: 'no-such-user', password: 'secret-1' },
      ]) {
        const reply = await of().refuse('UNAUTHENTICATED', 'POST /api/login', { body });
        expect(reply.body.message).toBe('Invalid username or password');
        expect(reply.headers.getSetCookie()).toEqual([]);
      }
      const empty = await of().refuse('VALIDATION', 'POST /api/login', { body: { username: '', password: '' } });
      expect(empty.body.fields).toEqual({ username: 'Username is required', password: 'Password is required' });
    });

    it('changes its address and phone: absent fields stay, null and "" clear', async () => {
      const { succeed, refuse, signUp } = of();
      const as = await signUp('emil');
      const patch = (body: object) => succeed('PATCH /api/user/profile', { as, body });
      expect((await patch({ phone: '5125550199' })).body).toMatchObject({
        email: 'emil@example.test',
        phone: '5125550199',
      });
      expect((await patch({ email: null })).body).toMatchObject({ email: null, phone: '5125550199' });
      expect((await patch({ email: 'new@example.test', phone: '' })).body).toMatchObject({
        email: 'new@example.test',
        phone: null,
      });
      expect((await patch({ phoneNumber: '5125550177' })).body).toMatchObject({ phone: '5125550177' });
      expect((await patch({})).body).toMatchObject({ email: 'new@example.test', phone: '5125550177' });
      for (const [body, fields] of [
        [{ email: 'bad' }, { email: 'Please enter a valid email' }],
        [{ email: '', phone: '' }, { email: 'Either email or phone is required for notifications' }],
        [{ role: 'admin' }, { role: expect.any(String) }],
        [{ planId: 4 }, { planId: expect.any(String) }],
      ]) {
        const reply = await refuse('VALIDATION', 'PATCH /api/user/profile', { as, body });
        expect(reply.body.fields).toEqual(fields);
      }
      expect((await succeed('GET /api/user', { as })).body).toMatchObject({ id: as.id, phone: '5125550177' });
    });

    it('changes its password, which ends all other sessions', async () => {
      const { succeed, refuse, signUp } = of();
      const as = await signUp('frida');
      const other: Person = { ...as, cookie: undefined };
      await succeed('POST /api/login', { as: other, body: { username: 'frida', password: 'secret-1' } });
      const change = (body: object) => refuse('VALIDATION', 'POST /api/user/change-password', { as, body });
      expect((await change({ currentPassword: 'wrong-1', newPassword: 'secret-2' })).body.fields).toHaveProperty(
        'currentPassword',
      );
      expect((await change({ currentPassword: '', newPassword: '12345' })).body.fields).toEqual({
        currentPassword: 'Current password is required',
        newPassword: 'New password must be at least 6 characters',
      });
      expect((await change({ newPassword: 'secret-2' })).body.fields).toEqual({
        currentPassword: 'Current password is required',
      });
      const body = { currentPassword: 'secret-1', newPassword: 'secret-2', confirmPassword: 'ignored' };
      await succeed('POST /api/user/change-password', { as, body });
      await succeed('GET /api/user', { as });
      await refuse('UNAUTHENTICATED', 'GET /api/user', { as: other });
      await succeed('POST /api/login', { as: other, body: { username: 'frida', password: 'secret-2' } });
    });

    it('sends a message to the operator', async () => {
      const { succeed, refuse, visitor, ana } = of();
      const body = { name: 'Ana', email: 'ana@example.test', subject: 'A options', message: 'How are you?' };
      for (const as of [visitor, ana]) await succeed('POST /api/contact', { as, body });
      const empty = await refuse('VALIDATION', 'POST /api/contact', { body: { name: '', email: null } });
      expect(Object.keys(empty.body.fields)).toEqual(['name', 'email', 'subject', 'message']);
      for (const [name, value] of Object.entries({
        email: 'bad',
        subject: 'x'.repeat(201),
        message: 'x'.repeat(5001),
      })) {
        const reply = await refuse('VALIDATION', 'POST /api/contact', { body: { ...body, [name]: value } });
        expect(Object.keys(reply.body.fields)).toEqual([name]);
      }
    });
  });
}

const list = 'GET /api/admin/deletion-requests';
const decide = 'PATCH /api/admin/deletion-requests/{requestId}';
const execute = 'POST /api/admin/execute-deletion/{userId}';

export function admin(of: () => World): void {
  /** Requests the deletion over GraphQL, as the page does: no REST call does it. */
  async function requestDeletionOf(as: Person): Promise<string> {
    const query = 'mutation { requestDeletion(reason: "I have found my car.") { requestId } }';
    const response = await fetch(`${of().api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: as.cookie ?? '' },
      body: JSON.stringify({ query }),
    });
    const { data } = (await response.json()) as { data: { requestDeletion: { requestId: string } } };
    return data.requestDeletion.requestId;
  }

  describe('a deletion request', () => {
    it('is approved and executed, and its record stays', async () => {
      const { admin: as, succeed, refuse, signUp } = of();
      const leaver = await signUp('leaver');
      const id = await requestDeletionOf(leaver);
      const pending = (await succeed(list, { as, query: 'status=pending' })).body;
      expect(pending).toContainEqual(
        expect.objectContaining({
          requestId: id,
          userId: leaver.id,
          username: 'leaver',
          status: 'pending',
          notes: null,
        }),
      );
      await refuse('CONFLICT', execute, { as, id: leaver.id });
      await refuse('CONFLICT', decide, { as, id, body: { status: 'completed' } });
      expect((await succeed(decide, { as, id, body: { status: 'pending', notes: 'Asked back' } })).body).toMatchObject({
        status: 'pending',
        notes: 'Asked back',
      });
      expect((await succeed(decide, { as, id, body: { status: 'approved' } })).body).toMatchObject({
        requestId: id,
        status: 'approved',
        notes: 'Asked back',
      });
      for (const status of ['pending', 'rejected', 'completed']) {
        await refuse('CONFLICT', decide, { as, id, body: { status } });
      }
      expect((await succeed(execute, { as, id: leaver.id })).body.message).toContain(`deleted user ${leaver.id}`);
      await refuse('UNAUTHENTICATED', 'GET /api/user', { as: leaver });
      const completed = (await succeed(list, { as, query: 'status=completed' })).body;
      expect(completed).toContainEqual(
        expect.objectContaining({ requestId: id, status: 'completed', username: null, reason: null, notes: null }),
      );
      const again = await of().send(execute, { as, id: leaver.id });
      expect([404, 409]).toContain(again.status);
      await refuse('CONFLICT', execute, { as, id: 1 });
    });

    it('is rejected, which is final', async () => {
      const { admin: as, succeed, refuse, signUp } = of();
      const stayer = await signUp('stayer');
      const id = await requestDeletionOf(stayer);
      const body = { status: 'rejected', notes: '' };
      expect((await succeed(decide, { as, id, body })).body).toMatchObject({ status: 'rejected', notes: null });
      await refuse('CONFLICT', decide, { as, id, body: { status: 'approved' } });
      await refuse('CONFLICT', execute, { as, id: stayer.id });
      const all: { requestId: string }[] = (await succeed(list, { as })).body;
      expect(all.map(({ requestId }) => requestId)).toContain(id);
      for (const status of ['pending', 'approved']) {
        const some: { requestId: string; status: string }[] = (await succeed(list, { as, query: `status=${status}` }))
          .body;
        expect(some.map(({ requestId }) => requestId)).not.toContain(id);
        for (const one of some) expect(one.status).toBe(status);
      }
    });

    it('accepts only the four states', async () => {
      const { admin: as, refuse, signUp } = of();
      const id = await requestDeletionOf(await signUp('waiter'));
      for (const query of ['status=lost', 'status=PENDING']) await refuse('VALIDATION', list, { as, query });
      for (const body of [{}, { status: null }, { status: 'lost' }, { status: 'approved', notes: 'x'.repeat(2001) }]) {
        const reply = await refuse('VALIDATION', decide, { as, id, body });
        expect(Object.keys(reply.body.fields), reply.text).toEqual(['notes' in body ? 'notes' : 'status']);
      }
    });
  });
}
