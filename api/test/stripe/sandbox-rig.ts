import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDueWork } from '@lotwatch/sandbox/checkout';
import { startDelivery } from '@lotwatch/sandbox/deliver';
import { seed } from '@lotwatch/sandbox/seed';
import { makeSandboxServer } from '@lotwatch/sandbox/server';
import { openStore } from '@lotwatch/sandbox/store';
import { closeServer, listen } from '../../lab/local-server.ts';
import { silentLog } from '../../src/base/log.ts';
import { planList } from '../../src/domain/plan-list.ts';

export interface SandboxRig {
  url: string;
  secretKey: string;
  webhookSecret: string;
  /** Presses a button of a page of the sandbox. @returns the address of the next page */
  press(pageUrl: string, action: string, fields?: Record<string, string>): Promise<string>;
  /** Loads a page. */
  show(pageUrl: string): Promise<{ status: number; html: string }>;
  /** Moves the sandbox's clock forward and runs the work that is due. */
  passTime(seconds: number): void;
  close(): Promise<void>;
}

interface RigOptions {
  /** The address for events; without it none are sent. */
  webhookUrl?: string;
  /** The journal of an earlier sandbox, to continue with its state. */
  journal?: string;
  publicUrl?: string;
  /** Without prices of plans, like a new account at Stripe. */
  isBare?: boolean;
}

/** Starts a payment sandbox for a test. */
export async function startSandbox(options: RigOptions = {}): Promise<SandboxRig> {
  const folder = options.journal === undefined ? mkdtempSync(join(tmpdir(), 'lotwatch-sandbox-')) : null;
  const secretKey = 'sk_test_of_the_tests';
  const webhookSecret = 'whsec_of_the_tests';
  let passed = 0;
  const store = openStore(options.journal ?? join(folder ?? '', 'sandbox.ndjson'), () => new Date(Date.now() + passed));
  const sold = planList.filter(({ price }) => Number(price) > 0);
  if (!options.isBare)
    seed(
      store,
      sold.map((plan) => ({ ...plan, lookupKey: `lotwatch_${plan.name.toLowerCase()}_monthly` })),
    );
  const publicUrl = options.publicUrl ?? 'http://localhost:4000';
  const server = makeSandboxServer({ store, secretKey, publicUrl, log: silentLog });
  const url = await listen(server);
  const delivery = options.webhookUrl
    ? startDelivery({ store, url: options.webhookUrl, secret: webhookSecret, log: silentLog })
    : undefined;
  const inner = (pageUrl: string): string => {
    const { pathname, search } = new URL(pageUrl, publicUrl);
    return `${url}${pathname.replace(/^\/dev/, '')}${search}`;
  };
  return {
    url,
    secretKey,
    webhookSecret,
    async press(pageUrl, action, fields = {}) {
      const body = new URLSearchParams({ ...fields, action });
      const answer = await fetch(inner(pageUrl), { method: 'POST', body, redirect: 'manual' });
      const location = answer.headers.get('location');
      if (answer.status !== 303 || location === null)
        throw new Error(
          `${action}: ${answer.status} ${(await answer.text()).replaceAll(/<style>.*<\/style>|<[^>]+>/gs, ' ')}`,
        );
      return location;
    },
    async show(pageUrl) {
      const answer = await fetch(inner(pageUrl));
      return { status: answer.status, html: await answer.text() };
    },
    passTime(seconds) {
      passed += seconds * 1000;
      runDueWork(store);
    },
    async close() {
      await delivery?.close();
      await closeServer(server);
      store.close();
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    },
  };
}
