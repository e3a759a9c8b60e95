import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Two sources that are polled: `sources-NAME.json` in the folder of the run names one of them or both. */
export interface Lots {
  /** Puts a car at the top of a lot's list. */
  add(lot: number, item: object): void;
  /** A SOURCES_FILE. */
  fileOf(sources: SourcesNamed): string;
  close(): Promise<void>;
}

const names = ['lot-one', 'lot-two'] as const;
const sourcesNamed = {
  both: names,
  one: names.slice(0, 1),
  two: names.slice(1),
} as const satisfies Record<string, readonly string[]>;
export type SourcesNamed = keyof typeof sourcesNamed;

export const LOTS = names.length;
const SHOWN = 200;

export async function startLots(folder: string): Promise<Lots> {
  const lists = new Map<string, object[]>(names.map((name) => [name, []]));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://lots');
    const list = lists.get(url.pathname.slice(1)) ?? [];
    const from = Number(url.searchParams.get('offset') ?? 0);
    const items = list.slice(from, from + Number(url.searchParams.get('limit') ?? 100));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as AddressInfo;
  const file = (named: string) => join(folder, `sources-${named}.json`);
  for (const [named, list] of Object.entries(sourcesNamed)) {
    const sources = list.map((name) => ({
      name,
      kind: 'marketplace-items',
      url: `http://127.0.0.1:${port}/${name}`,
      everySeconds: 5,
      allowPrivateNetwork: true,
    }));
    writeFileSync(file(named), JSON.stringify(sources));
  }
  return {
    add(lot, item) {
      const list = lists.get(names[lot % LOTS] ?? '') ?? [];
      list.unshift(item);
      list.splice(SHOWN);
    },
    fileOf: file,
    close: () =>
      new Promise((settle) => {
        server.closeAllConnections();
        server.close(() => settle());
      }),
  };
}
