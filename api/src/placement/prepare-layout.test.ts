import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { partsOfCluster } from './distribute-tables.ts';
import { CLUSTER_VERSION, requireOwnerConnection, SESSION_SETTINGS } from './prepare-layout.ts';

it('the version of clusters grows with what they need besides the tables', () => {
  const digest = createHash('sha256')
    .update([...partsOfCluster, JSON.stringify(SESSION_SETTINGS)].join('\n'))
    .digest('hex');
  // Where the digest has changed, clusters that exist need the change too: add 1 to CLUSTER_VERSION.
  expect([CLUSTER_VERSION, digest.slice(0, 16)]).toEqual([2, '101784b7349d9917']);
});

it('a cluster is reached by one role and past no pooler, and one server in any way', () => {
  const given = { DATABASE_OWNER_URL: true, DATABASE_DIRECT_URL: false };
  expect(() => requireOwnerConnection('citus', given)).toThrow('unset DATABASE_OWNER_URL.');
  requireOwnerConnection('citus', { DATABASE_OWNER_URL: false });
  requireOwnerConnection('plain', given);
  requireOwnerConnection(undefined, given);
});
