import { afterAll, beforeEach, expect, it } from 'vitest';
import { type KeyHolder, makeDealer, makeKey } from '../../test/keys/key-holder.ts';
import { setUpApi } from '../../test/make-app.ts';
import { disableOldTriggers } from '../../test/schema/triggers.ts';
import { channels } from '../base/channels.ts';
import { inTransaction } from '../base/database.ts';
import { type Listener, startListener } from '../base/listener.ts';
import { silentLog } from '../base/log.ts';
import { applyPlan } from '../billing/apply-plan.ts';
import { ELITE_PLAN_ID } from '../domain/plan-list.ts';
import { revokeApiKeys } from './manage-api-keys.ts';

let dealer: Awaited<ReturnType<typeof makeDealer>>;
let key: KeyHolder;
let listener: Listener;
/** The users whose keys processes are to ask for. */
const heard: string[] = [];
const api = setUpApi({}, async () => {
  await disableOldTriggers(api.db.pool);
  dealer = await makeDealer(api, 'dealer');
  listener = await startListener(api.db.url, silentLog);
  await listener.on(channels.keys, (userId) => heard.push(userId));
});
afterAll(() => listener.close());
beforeEach(async () => {
  key = await makeKey(api, dealer.browser);
  heard.length = 0;
});

const gql = (mutation: string) => dealer.browser.gql(`mutation { ${mutation} }`);
it.each<[string, () => Promise<unknown>]>([
  ['revoked by its owner', () => gql(`revokeApiKey(id: "${key.id}")`)],
  ['replaced', () => gql(`rotateApiKey(id: "${key.id}", overlapHours: 0) { secret }`)],
  ['revoked with the password', () => revokeApiKeys(api.db.pool, dealer.userId, [Number(key.id)])],
  [
    'one of an account that leaves its plan',
    () =>
      inTransaction(api.db.pool, (client) =>
        applyPlan(client, { userId: dealer.userId, from: ELITE_PLAN_ID, to: 1, event: 'ended' }),
      ),
  ],
])('a key that is %s is told of to every process without a trigger', async (_how, end) => {
  await end();
  await expect.poll(() => heard).toEqual([String(dealer.userId)]);
});
