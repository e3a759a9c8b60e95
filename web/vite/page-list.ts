import { InMemoryCache } from '@apollo/client';
import { type DocumentNode, print } from 'graphql';
import type { Plugin } from 'vite';
import * as generated from '../src/gql/graphql.ts';
import { pageHeads, unlistedHeads } from '../src/lib/text/page-heads.ts';
import { type FirstQuery, memberPages, openPages, type PageRow } from '../src/page-table.ts';
import { closure } from './closure.ts';

/** One entry of `pages.json`: the server answers these addresses with the app, all others with its 404 page. */
interface BuiltPage {
  /** As the router writes it, `*` for all others. */
  path: string;
  /** A page of its own beside the app. */
  file?: string;
  /** What the page's code needs beyond the app's first scripts; the browser may fetch it at once. */
  scripts: string[];
  /** What crawlers read; pages without it are not for them. */
  head: { title: string; description: string } | null;
  /** What a chat shows of a page that only those know who got its address; absent for all others. */
  unlisted?: { title: string; description: string };
  /** How the server draws it; absent where it sends the empty page. */
  drawn?: PageRow['drawn'];
  /** The operations whose answers the server sends with the page. */
  asks?: { name: string; text: string; variables: Record<string, string>; unless: readonly string[] }[];
}

/** Built by `vite/playground.config.ts`: its code is none of the app's. */
const beside = [
  { path: '/playground', file: 'playground.html', scripts: [] },
  // What the service worker answers with while the server can't be reached.
  { path: '/app-shell', scripts: [] },
];

/** Writes `pages.json` from the table of pages, so that the server knows every page without a list of its own. */
export function pageList(): Plugin {
  return {
    name: 'page-list',
    apply: 'build',
    generateBundle(_options, bundle) {
      const table = [...openPages, ...memberPages];
      const known = new Set([...table, ...beside].map(({ path }) => path));
      const unknown = Object.keys({ ...pageHeads, ...unlistedHeads }).filter((path) => !known.has(path));
      if (unknown.length > 0) this.error(`page-heads.ts has heads of no page: ${unknown.join(', ')}`);
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const first = closure(
        chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
        chunks,
      );
      const pages: BuiltPage[] = table.map(({ path, file, drawn, asks }) => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/pages/${file}.tsx`)));
        if (!chunk) this.error(`page-table.ts names a page without a file: ${file}`);
        const scripts = closure([chunk.fileName], chunks).filter((file) => !first.includes(file));
        const unlisted = unlistedHeads[path];
        return {
          path,
          scripts,
          head: pageHeads[path] ?? null,
          ...(unlisted && { unlisted }),
          ...(drawn && { drawn }),
          ...(asks && { asks: asks.map(textOf) }),
        };
      });
      for (const page of beside) pages.push({ ...page, head: pageHeads[page.path] ?? null });
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) });
    },
  };
}

/** As Apollo's client sends it. */
function textOf({ name, variables = {}, unless = [] }: FirstQuery): NonNullable<BuiltPage['asks']>[number] {
  const document = (generated as unknown as Record<string, DocumentNode | undefined>)[`${name}Document`];
  if (!document) throw new Error(`page-table.ts names an operation that is not in the source: ${name}`);
  return { name, text: print(new InMemoryCache().transformDocument(document)), variables, unless };
}
