import { randomInt } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { makeLog } from '../src/base/log.ts';
import { trimEnd } from '../src/base/trim-end.ts';
import { demoStream } from './ids.ts';
import { makeDemoServer } from './server.ts';

const log = makeLog('demo');
const env = (name: string) => process.env[name] || undefined;

const port = Number(env('PORT') ?? 0);
const host = env('HOST') ?? '127.0.0.1';
const seed = Number(env('DEMO_SEED') ?? randomInt(2 ** 31));
const perSecond = Number(env('DEMO_PER_SECOND') ?? 2);
if (![port, seed, perSecond].every(Number.isFinite) || perSecond <= 0) {
  log.error('PORT, DEMO_SEED and DEMO_PER_SECOND must be numbers');
  process.exit(1);
}

const options = { stream: demoStream(seed, perSecond), publicUrl: '', token: env('DEMO_TOKEN') };
const server = makeDemoServer(options);
server.on('error', (error) => {
  log.error('the demo marketplace can not listen', { error });
  process.exit(1);
});
server.listen(port, host, () => {
  const { port: actual } = server.address() as AddressInfo;
  options.publicUrl = trimEnd(env('DEMO_PUBLIC_URL') ?? `http://${host}:${actual}`, '/');
  log.info('the demo marketplace listens', { port: actual, seed: options.stream.seed });
  process.send?.({ listening: actual });
});

function stop(): void {
  server.close(() => process.exit(0));
  server.closeAllConnections();
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The launcher has ended, whatever the reason, so nothing will read this server any more.
process.on('disconnect', stop);
