import { describe, expect, it } from 'vitest';
import type { Person, World } from './world.ts';

const list = 'GET /api/admin/deletion-requests';
const decide = 'PATCH /api/admin/deletion-requests/{requestId}';
const execute = 'POST /api/admin/execute-deletion/{userId}';

export function admin(of: () => World): void {
  /** What the data rights page does; no row of the table makes a request. */
  async function askForDeletion(as: Person): Promise<string> {
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
    it('is approved, executed, and leaves a receipt', async () => {
      const { admin: as, succeed, refuse, signUp } = of();
      const leaver = await signUp('leaver');
      const id = await askForDeletion(leaver);
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
      const again = await of().ask(execute, { as, id: leaver.id });
      expect([404, 409]).toContain(again.status);
      await refuse('CONFLICT', execute, { as, id: 1 });
    });

    it('is rejected for good', async () => {
      const { admin: as, succeed, refuse, signUp } = of();
      const stayer = await signUp('stayer');
      const id = await askForDeletion(stayer);
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

    it('has one of four states', async () => {
      const { admin: as, refuse, signUp } = of();
      const id = await askForDeletion(await signUp('waiter'));
      for (const query of ['status=lost', 'status=PENDING']) await refuse('VALIDATION', list, { as, query });
      for (const body of [{}, { status: null }, { status: 'lost' }, { status: 'approved', notes: 'x'.repeat(2001) }]) {
        const reply = await refuse('VALIDATION', decide, { as, id, body });
        expect(Object.keys(reply.body.fields), reply.text).toEqual(['notes' in body ? 'notes' : 'status']);
      }
    });
  });
}
