import { expect, it } from 'vitest';
import { requireApiAccess } from './owned-records.ts';

it('needs Elite', () => {
  for (const planId of [1, 2, 3]) {
    expect(() => requireApiAccess({ planId })).toThrow(
      expect.objectContaining({ code: 'PLAN_REQUIRED', needsUpgrade: true }),
    );
  }
  expect(() => requireApiAccess({ planId: 4 })).not.toThrow();
});
