import { isIP, type LookupFunction, Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { setUpFolder, setUpServer } from '../../test/set-up.ts';
import { openPhotoCache, type PhotoCache } from './photos/photo-cache.ts';
import { postGuarded } from './post-guarded.ts';
import { fetchPage } from './web-fetch.ts';
import type { Resolve } from './web-fetch-guard.ts';

/** Hosts of URLs for a cloud's metadata service, a machine on the link, or this machine. */
const hosts = `169.254.169.254 2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376 025177524776 169.254.43518
  169.16689662 169.254.169.254. 169%2e254%2e169%2e254 １６９。２５４。１６９。２５４ ①⑥⑨.②⑤④.①⑥⑨.②⑤④ 169.254.170.2
  169.254.170.23 169.254.0.1 168.63.129.16 2822734096 0xa83f8110 0250.077.0201.020 168.4161808 100.100.100.200
  1684301000 0x646464c8 0144.0144.0144.0310 192.0.0.192 3221225664 0xc00000c0 0.0.0.0 0 0x0 00 0.0.0.1
  [::] [fd00:ec2::254] [fd00:0ec2:0:0:0:0:0:0254] [fd00:ec2::23] [fd20:ce::254] [fe80::a9fe:a9fe] [fe80::1]
  [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [0:0:0:0:0:ffff:a9fe:a9fe] [::ffff:168.63.129.16] [::ffff:100.100.100.200]
  [::ffff:192.0.0.192] [::ffff:0.0.0.0] [::ffff:0:169.254.169.254] [::169.254.169.254] [64:ff9b::169.254.169.254]
  [64:ff9b::a83f:8110] [64:ff9b:1::a9fe:a9fe] [64:ff9b:1:a9fe:a9:fe00::] [2002:a9fe:a9fe::] [2002:a83f:8110::1]
  [2002:6464:64c8::] [2001:0:a9fe:a9fe::] [2001::5601:5601] [2600:1f00::a9fe:a9fe] [2a01:4f8::169.254.169.254]
  [2001:db8:64::c000:c0]`.split(/\s+/);

/** Answers of a resolver. */
const answers = hosts.flatMap((host) => {
  const { hostname } = new URL(`http://${host}/`);
  return hostname.replace(/^\[|\]$/g, '');
});

const asked: string[] = [];
let cache: PhotoCache;
const folder = setUpFolder();
let home: string;
let port: number;
let location = '';
const server = setUpServer((_request, response) => response.writeHead(302, { location }).end());

/** The addresses to which a socket was to be opened; none is, since this machine may have one of them. */
const reached: string[] = [];
const connect = Socket.prototype.connect;

interface Connecting {
  host: string;
  port: number;
  lookup?: LookupFunction;
}

/** The address of a socket; a name is resolved by the socket's own lookup. */
function leadsTo({ host, lookup }: Connecting): string[] {
  if (isIP(host)) return [host];
  let found: string[] = [];
  lookup?.(host, { all: true }, (_error, all) => {
    found = Array.isArray(all) ? all.map(({ address }) => address) : [];
  });
  return found;
}
beforeAll(() => {
  port = Number(new URL(server.url).port);
  home = `${server.url}/`;
});
beforeEach(async () => {
  reached.length = 0;
  asked.length = 0;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given: unknown[]) {
    const options = (Array.isArray(given[0]) ? given[0][0] : given[0]) as Connecting;
    const addresses = leadsTo(options);
    // Other ports of this machine than that of the server, and than 80, are asked by what earlier files of this process left.
    if (addresses.join() === '127.0.0.1' && Number(options.port) !== 80)
      return Reflect.apply(connect, this, given) as Socket;
    reached.push(`${addresses.join()}:${options.port}`);
    return this.destroy(new Error('It would have been reached.'));
  });
  cache = await openPhotoCache({ folder: join(folder, String(performance.now())), maxBytes: 1e6 });
});
afterEach(() => {
  vi.restoreAllMocks();
  cache.close();
});

type Way = (url: string, resolve?: Resolve) => Promise<unknown>;
const inside = { allowPrivateNetwork: true, timeoutMs: 2_000 };
/** The three clients, each allowed to use the private network. */
const ways: Record<string, Way> = {
  feed: (url, resolve) => fetchPage({ url, ...inside, ...(resolve && { resolve }) }),
  async photo(url, resolve) {
    const photos = await openPhotoCache({
      folder: join(folder, `of-${performance.now()}`),
      maxBytes: 1e6,
      fetch: (page) => fetchPage({ ...page, ...(resolve && { resolve }) }),
    });
    return photos.get({ url, allowPrivateNetwork: true }).catch((error: Error) => {
      throw error.cause;
    });
  },
  webhook: (url, resolve) =>
    postGuarded({ url, headers: {}, body: '{}', allowHttp: true, ...inside, ...(resolve && { resolve }) }),
};
const whyNot = (going: Promise<unknown>): Promise<string> =>
  going.then(
    () => 'REACHED',
    (error: { code?: string }) => error.code ?? String(error),
  );
const refused = ['PRIVATE_ADDRESS', 'BAD_URL'];

it('the table has at least sixty hostile addresses', () => expect(new Set(hosts).size).toBeGreaterThanOrEqual(60));

it.each(Object.keys(ways))('no %s reaches a hostile address that it names', async (name) => {
  for (const host of hosts) {
    const why = await whyNot(ways[name]?.(`http://${host}/latest/meta-data/`) ?? Promise.resolve());
    expect([host, why]).toEqual([host, expect.toBeOneOf(refused)]);
  }
  expect(reached).toEqual([]);
});

it.each(Object.keys(ways))('no %s reaches a hostile address of its name, alone or among others', async (name) => {
  for (const address of answers) {
    const family = address.includes(':') ? 6 : 4;
    for (const others of [[], [{ address: '127.0.0.1', family: 4 }]]) {
      const resolve = () => Promise.resolve([...others, { address, family }]);
      const why = await whyNot(ways[name]?.(`http://metadata.example:${port}/`, resolve) ?? Promise.resolve());
      expect([address, why]).toEqual([address, 'PRIVATE_ADDRESS']);
    }
  }
  expect(reached).toEqual([]);
});

it.each(Object.keys(ways))('no %s reaches a hostile address when its name changes after the check', async (name) => {
  for (const address of answers) {
    location = `http://metadata.example:${port}/`;
    let times = 0;
    const resolve = () => {
      asked.push(address);
      const last = { address, family: address.includes(':') ? 6 : 4 };
      return Promise.resolve([times++ === 0 ? { address: '127.0.0.1', family: 4 } : last]);
    };
    const why = await whyNot(ways[name]?.(location, resolve) ?? Promise.resolve());
    // A webhook follows no redirect, so that it resolves once.
    expect([address, why]).toEqual([address, name === 'webhook' ? 'REACHED' : 'PRIVATE_ADDRESS']);
  }
  expect(asked).toHaveLength(answers.length * (name === 'webhook' ? 1 : 2));
  expect(reached).toEqual([]);
});

it.each(Object.keys(ways))('no %s follows a redirect to a hostile address', async (name) => {
  for (const host of hosts) {
    location = `http://${host.replace(/[^!-~]/g, encodeURIComponent)}/latest/meta-data/`;
    const why = await whyNot(ways[name]?.(home) ?? Promise.resolve());
    expect([host, why]).toEqual([host, name === 'webhook' ? 'REACHED' : expect.toBeOneOf(refused)]);
  }
  expect(reached).toEqual([]);
});
