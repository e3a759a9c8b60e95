import { parseArgs } from 'node:util';
import { progress, readCount } from '../command-line.ts';
import { startLocalServer } from '../local-server.ts';
import { ebayCar, ebayCars } from './ebay-cars.ts';
import { EbayServer } from './ebay-server.ts';

const MINUTE_MS = 60_000;

/** Starts the server that answers as eBay describes it, with cars that keep coming, until it is stopped. */
const { values } = parseArgs({
  options: { port: { type: 'string' }, cars: { type: 'string' }, 'per-minute': { type: 'string' } },
});
const ebay = new EbayServer();
ebay.cars = ebayCars(readCount('cars', values.cars) ?? 300, new Date());
const server = await startLocalServer(ebay.answer, readCount('port', values.port) ?? 4500);
setInterval(
  () => {
    ebay.cars.unshift(ebayCar(ebay.cars.length + 1, new Date()));
  },
  MINUTE_MS / (readCount('per-minute', values['per-minute']) ?? 6),
);
const source = {
  name: 'ebay',
  kind: 'ebay',
  clientId: ebay.clientId,
  clientSecret: ebay.clientSecret,
  apiBase: server.url,
  allowPrivateNetwork: true,
};
progress(`A server like eBay's listens at ${server.url}. As a source:`);
process.stdout.write(`${JSON.stringify([source], null, 2)}\n`);
