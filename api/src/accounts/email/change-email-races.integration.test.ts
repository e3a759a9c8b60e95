/** @module-tag long */
import { describe, expect, it } from 'vitest';
import { cancel, has, makeOwners } from '../../../test/accounts/address-owners.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { executeDeletion } from '../../rights/erase-person.ts';

const api = setUpApi({ env: { CONFIRM_EMAIL: 'on' } });
const { owner, pressConfirm, undoPath, visit, pressUndo, stored } = makeOwners(api);

describe('concurrent changes of an address', () => {
  const rounds = [1, 2, 3, 4, 5, 6];

  it('of two changes leave one pending, and only its link confirms', async () => {
    for (const round of rounds) {
      const me = await owner();
      const [one, other] = [`one-${round}@example.test`, `other-${round}@example.test`];
      await Promise.all([me.change(one), me.change(other)]);
      const { pendingEmail } = await stored(me);
      expect([one, other]).toContain(pendingEmail);
      const answers = await Promise.all([pressConfirm(me, one), pressConfirm(me, other)]);
      expect(answers.sort()).toEqual(['NOT_FOUND', 'confirmed']);
      expect(await stored(me)).toEqual(has(pendingEmail));
    }
  });

  it('a confirmation and a cancellation: exactly one of them takes effect', async () => {
    for (const round of rounds) {
      const me = await owner();
      const next = `cancelled-${round}@example.test`;
      await me.change(next);
      const [answer] = await Promise.all([pressConfirm(me, next), me.browser.gql(cancel)]);
      expect(await stored(me)).toEqual(has(answer === 'confirmed' ? next : me.old));
      const { rowCount } = await api.db.pool.query('select from former_emails where user_id = $1', [me.id]);
      expect(rowCount).toBe(answer === 'confirmed' ? 1 : 0);
    }
  });

  it('two accounts confirm one address: one gets it, the other keeps what it has', async () => {
    for (const round of rounds) {
      const [me, you] = [await owner(), await owner()];
      const wanted = `wanted-${round}@example.test`;
      await Promise.all([me.change(wanted), you.change(wanted)]);
      const answers = await Promise.all([pressConfirm(me, wanted), pressConfirm(you, wanted)]);
      expect([...answers].sort()).toEqual(['CONFLICT', 'confirmed']);
      const [winner, loser] = answers[0] === 'confirmed' ? [me, you] : [you, me];
      expect(await stored(winner)).toEqual(has(wanted));
      expect(await stored(loser)).toEqual(has(loser.old, wanted));
      expect(await pressUndo(loser)).toBe('The change is cancelled');
    }
  });

  it('an undo and a confirmation: the account has the old address in the end', async () => {
    for (const round of rounds) {
      const me = await owner();
      const next = `undone-${round}@example.test`;
      await me.change(next);
      const [heading, answer] = await Promise.all([pressUndo(me), pressConfirm(me, next)]);
      expect(heading).toBe(answer === 'confirmed' ? 'Your address is back' : 'The change is cancelled');
      expect(await stored(me)).toEqual(has(me.old));
      expect(await pressConfirm(me, next)).toBe('NOT_FOUND');
    }
  });

  it('two undos of a chain of changes: the account has the oldest address in the end', async () => {
    for (const round of rounds) {
      const me = await owner();
      const [second, third] = [`second-${round}@example.test`, `third-${round}@example.test`];
      for (const address of [second, third]) {
        await me.change(address);
        await pressConfirm(me, address);
      }
      await Promise.all([pressUndo(me), pressUndo(me, second)]);
      expect(await stored(me)).toEqual(has(me.old));
    }
  });

  it('an undo and the deletion of the account: nothing is restored', async () => {
    for (const round of rounds) {
      const me = await owner();
      const next = `deleted-${round}@example.test`;
      await me.change(next);
      await me.browser.gql('mutation { requestDeletion(reason: "x") { id } }');
      await api.db.pool.query("update deletion_requests set status = 'approved' where user_id = $1", [me.id]);
      const erasing = executeDeletion({ pool: api.db.pool, limits: { keysOf: () => [] } }, { id: 1 }, me.id);
      await Promise.all(
        [erasing, pressConfirm(me, next), pressUndo(me), me.change('x@example.test')].map((act) =>
          act.catch(() => null),
        ),
      );
      for (const table of ['former_emails', 'mails']) {
        const { rowCount } = await api.db.pool.query(`select from ${table} where user_id = $1`, [me.id]);
        expect([table, rowCount]).toEqual([table, 0]);
      }
      expect(await pressConfirm(me, next)).toBe('NOT_FOUND');
      expect((await visit(undoPath(me, me.old), 'POST')).status).toBe(410);
      expect((await visit(undoPath(me, me.old), 'GET')).status).toBe(410);
    }
  });
});
