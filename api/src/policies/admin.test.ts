import { describe, expect, it } from 'vitest';
import { DeletionStatus } from '../domain/deletion-request.ts';
import { canAdministrate, canChangeNotes, canDecide, canErase } from './admin.ts';

const admin = { id: 1 };
const buyer = { id: 2 };
const all = Object.values(DeletionStatus);

describe('deletion requests', () => {
  it('can only be decided by the admin', () => {
    expect([admin, buyer].map(canAdministrate)).toEqual([true, false]);
    for (const status of all) {
      expect(all.some((to) => canDecide(buyer, { status }, to))).toBe(false);
      expect(canChangeNotes(buyer, { status })).toBe(false);
    }
    expect(canErase(buyer, buyer)).toBe(false);
  });

  it('are decided once, and completed only by the erasure', () => {
    const decided = all.flatMap((status) =>
      all.filter((to) => canDecide(admin, { status }, to)).map((to) => `${status} > ${to}`),
    );
    expect(decided).toEqual(['pending > approved', 'pending > rejected']);
    expect(all.filter((status) => canChangeNotes(admin, { status }))).toEqual(['pending', 'approved']);
  });

  it('never erase the admin', () => {
    expect(canErase(admin, buyer)).toBe(true);
    expect(canErase(admin, admin)).toBe(false);
  });
});
