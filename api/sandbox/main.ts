import type { AddressInfo } from 'node:net';
import { makeLog } from '@lotwatch/api/log';
import { planList } from '@lotwatch/api/plan-list';
import { trimEnd } from '@lotwatch/api/trim-end';
import { runDueWork } from './billing/checkout.ts';
import { seed } from './calls/seed.ts';
import { startDelivery } from './events/deliver.ts';
import { makeSandboxServer } from './server.ts';
import { openStore } from './state/store.ts';

const RUN_DUE_EVERY_MS = 30_000;
const log = makeLog('sandbox');

function requireEnv(name: string): string {
  const value = process.env[name];
  if (value) return value;
  log.error(`${name} is not set: the launcher starts the sandbox with it`);
  process.exit(1);
}

const store = openStore(requireEnv('SANDBOX_JOURNAL'));
const plans = planList.filter(({ price }) => Number(price) > 0);
seed(
  store,
  plans.map((plan) => ({ ...plan, lookupKey: `lotwatch_${plan.name.toLowerCase()}_monthly` })),
);
const publicUrl = trimEnd(requireEnv('SANDBOX_PUBLIC_URL'), '/');
const server = makeSandboxServer({ store, secretKey: requireEnv('SANDBOX_SECRET_KEY'), publicUrl, log });
const delivery = startDelivery({
  store,
  url: requireEnv('SANDBOX_WEBHOOK_URL'),
  secret: requireEnv('SANDBOX_WEBHOOK_SECRET'),
  log,
});
const timer = setInterval(() => runDueWork(store), RUN_DUE_EVERY_MS);
runDueWork(store);

server.on('error', (error) => {
  log.error('the payment sandbox can not listen', { error });
  process.exit(1);
});
server.listen(Number(process.env.PORT ?? 0), process.env.HOST ?? '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  log.info('the payment sandbox listens', { port });
  process.send?.({ listening: port });
});

function stop(): void {
  clearInterval(timer);
  server.close();
  server.closeAllConnections();
  void delivery.close().finally(() => process.exit(0));
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The launcher has ended, whatever the reason, so nothing will call the sandbox any more.
process.on('disconnect', stop);
