import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { changeEverywhere } from '../../../test/everywhere.ts';
import { setUpPushes } from '../../../test/push/push-fixtures.ts';
import { outboxFile, readOutbox } from '../outbox-mail.ts';
import { makeOutboxPusher } from './outbox-push.ts';

const { db, all, pushed, pusher, run, used: here } = setUpPushes();
const folder = mkdtempSync(join(tmpdir(), 'lotwatch-push-'));
const file = outboxFile(folder);
afterEach(() => rmSync(file, { force: true }));

async function runWithOutbox(): Promise<unknown> {
  const local = makeOutboxPusher(pusher(), file, (work) => work(() => true));
  const result = await run({ pusher: local });
  await local.close?.();
  return result;
}

it('outside production a message goes to the outbox, once, where the push service can not be reached', async () => {
  const { alertId, userId, listingId, notificationId } = await pushed({ devices: 2 });
  await changeEverywhere(db, "update push_subscriptions set endpoint = 'https://push.invalid/' || id");
  expect(await runWithOutbox()).toMatchObject({ sent: 1 });
  const [user] = await all('select username from users where id = $1', [userId]);
  const lines = await readOutbox(file, 10);
  expect(lines).toMatchObject([
    {
      channel: 'push',
      kind: 'match',
      to: user.username,
      subject: '2018 Toyota Camry SE · $15,400',
      alertId,
      matchIds: [`${listingId}:${alertId}`],
      notificationIds: [notificationId],
      headers: { TTL: '86400', Urgency: 'high' },
    },
  ]);
  expect(lines[0]?.text).toContain(`https://lotwatch.example/alert/${alertId}`);
  expect(here.service.requests).toEqual([]);
});

it('and where its user has no device', async () => {
  await pushed({ devices: 0 });
  expect(await runWithOutbox()).toMatchObject({ sent: 1 });
  expect(await readOutbox(file, 10)).toMatchObject([{ channel: 'push', kind: 'match' }]);
});

it('but not where the push service answers', async () => {
  await pushed();
  await runWithOutbox();
  expect([here.service.accepted.length, await readOutbox(file, 10)]).toEqual([1, []]);
});

it('in production a message waits until the push service can be reached', async () => {
  await pushed();
  await db.pool.query("update push_subscriptions set endpoint = 'https://push.invalid/x'");
  expect(await run()).toMatchObject({ sent: 0, deferred: 1 });
});
