import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';
import { pageHeads } from '../src/lib/text/page-heads.ts';

const route = /(?:path: '([^']+)'|index: true),\s*lazy: \(\) =>\s*import\('\.\/(pages\/[^']+)'\)/g;

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
}

/** Built by `vite/playground.config.ts`: its code is none of the app's. */
const beside = [{ path: '/playground', file: 'playground.html', scripts: [] }];

/** Writes `pages.json` out of `routes.tsx`, so that the server knows every page without a list of its own. */
export function pageList(routesFile: string): Plugin {
  return {
    name: 'page-list',
    apply: 'build',
    generateBundle(_options, bundle) {
      const source = readFileSync(routesFile, 'utf8');
      const found = [...source.matchAll(route)].map(([, path = '/', module = '']) => ({ path, module }));
      const lazyRoutes = source.match(/\blazy:/g)?.length ?? 0;
      if (found.length !== lazyRoutes)
        this.error(`routes.tsx has ${lazyRoutes} lazy routes, ${found.length} were read`);
      const known = new Set([...found, ...beside].map(({ path }) => path));
      const unknown = Object.keys(pageHeads).filter((path) => !known.has(path));
      if (unknown.length > 0) this.error(`page-heads.ts has heads of no route: ${unknown.join(', ')}`);
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const first = closure(chunks.find((chunk) => chunk.isEntry)?.fileName, chunks);
      const pages: BuiltPage[] = found.map(({ path, module }) => {
        const chunk = chunks.find(({ facadeModuleId, moduleIds }) =>
          [facadeModuleId, ...moduleIds].some((id) => id?.endsWith(`/src/${module}`)),
        );
        const scripts = closure(chunk?.fileName, chunks).filter((file) => !first.includes(file));
        return { path, scripts, head: pageHeads[path] ?? null };
      });
      for (const page of beside) pages.push({ ...page, head: pageHeads[page.path] ?? null });
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) });
    },
  };
}

/** A chunk and all that it imports at once. */
function closure(start: string | undefined, chunks: Rolldown.OutputChunk[]): string[] {
  const files = start ? [start] : [];
  for (const file of files) {
    const imports = chunks.find(({ fileName }) => fileName === file)?.imports ?? [];
    files.push(...imports.filter((name) => !files.includes(name)));
  }
  return files;
}
