import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startLocalServer } from '../../lab/local-server.ts';

/** Two marketplaces that are polled. */
export interface PolledSources {
  /** Puts a car at the top of the list of the source with this index. */
  add(source: number, item: object): void;
  /** The path of a SOURCES_FILE that names one of the sources or both. */
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

export const POLLED_SOURCES = names.length;
const SHOWN = 200;

/** @param shown how many cars a source shows, the newest ones */
export async function startPolledSources(folder: string, shown = SHOWN): Promise<PolledSources> {
  const lists = new Map<string, object[]>(names.map((name) => [name, []]));
  const server = await startLocalServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://sources');
    const list = lists.get(url.pathname.slice(1)) ?? [];
    const from = Number(url.searchParams.get('offset') ?? 0);
    const items = list.slice(from, from + Number(url.searchParams.get('limit') ?? 100));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }));
  });
  const fileOf = (named: string) => join(folder, `sources-${named}.json`);
  for (const [named, list] of Object.entries(sourcesNamed)) {
    const sources = list.map((name) => ({
      name,
      kind: 'marketplace-items',
      url: `${server.url}/${name}`,
      everySeconds: 5,
      allowPrivateNetwork: true,
    }));
    writeFileSync(fileOf(named), JSON.stringify(sources));
  }
  return {
    add(source, item) {
      const list = lists.get(names[source % POLLED_SOURCES] ?? '') ?? [];
      list.unshift(item);
      list.splice(shown);
    },
    fileOf,
    close: server.close,
  };
}
