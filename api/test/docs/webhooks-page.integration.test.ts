import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/base/free-port.ts';
import { MAX_TRIES, webhookRetryDelayMs } from '../../src/domain/webhooks/retry-plan.ts';
import { storeCars } from '../factories.ts';
import { makeTestApi, type TestApi } from '../make-app.ts';
import { setUpFolder } from '../set-up.ts';
import {
  type Dealer,
  deliverAll,
  LOCAL_WEBHOOKS,
  makeDealer,
  makeTestEngine,
  matchAndMakeEvents,
} from '../webhooks/dealer.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(join(root, 'api/docs/webhooks.md'), 'utf8');
const scripts = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);

let api: TestApi;
let dealer: Dealer;
const folder = setUpFolder();
const children: ChildProcess[] = [];
beforeAll(async () => {
  api = await makeTestApi({ env: LOCAL_WEBHOOKS });
  dealer = await makeDealer(api);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await api?.close();
});

async function isUp(url: string): Promise<boolean> {
  return fetch(url, { method: 'POST' }).then(
    ({ status }) => status === 401,
    () => false,
  );
}

describe('webhooks.md', () => {
  it.each(['standardwebhooks', 'createHmac'])(
    'has a receiver with %s that accepts only events signed by LotWatch',
    async (word) => {
      const [code, ...more] = scripts.filter((script) => script.includes(word));
      expect(more).toEqual([]);
      const file = join(folder, `${word}.mjs`);
      writeFileSync(file, code ?? '');
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/`;
      const { data } = await dealer.browser.gql(
        'mutation ($url: String!) { createWebhook(url: $url, events: ["match.created"]) { secret webhook { id } } }',
        { url },
      );
      const { secret, webhook } = data.createWebhook;
      const env = { ...process.env, LOTWATCH_SECRET: secret, PORT: String(port) };
      const child = spawn(process.execPath, [file], { env });
      children.push(child);
      let printed = '';
      child.stdout?.on('data', (chunk) => {
        printed += chunk;
      });
      await expect.poll(() => isUp(url)).toBe(true);
      await storeCars(api.db.pool, [{ title: `Camry for ${word}` }]);
      await matchAndMakeEvents(api);
      await deliverAll(makeTestEngine(api));
      await expect.poll(() => printed).toMatch(new RegExp(`^\\d+ match\\.created Camry for ${word}\\n$`));
      const answer = await dealer.browser.gql('query ($id: ID!) { webhook(id: $id) { lastTry { taken } } }', {
        id: webhook.id,
      });
      expect(answer.data.webhook.lastTry).toEqual({ taken: true });
      await dealer.browser.gql('mutation ($id: ID!) { deleteWebhook(id: $id) }', { id: webhook.id });
    },
  );

  it('states the times of the retries', () => {
    const waits = Array.from({ length: MAX_TRIES - 1 }, (_, at) => (webhookRetryDelayMs(at + 1, 0.5) ?? 0) / 1000);
    expect(waits.map(Math.round)).toEqual([5, 20, 80, 320, 1280, 5120, 20_480, 28_800, 28_800]);
    expect(page).toContain('after 5 s, 20 s, 80 s, 5 min, 21 min, 85 min, 5.7 h and then every 8 h');
  });
});
