import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltPage, pageHead } from './page-head.ts';

const HEAD = /<!-- head -->[\s\S]*<!-- \/head -->/;

interface BuiltWeb {
  pages: BuiltPage[];
  /** index.html with the head of that page; of none, the 404 page. */
  html(page: BuiltPage | undefined): string;
}

/**
 * Reads what the build left, and again after the next build.
 * @param mark stands as an attribute of `<html>`, such as `data-test-mode`
 * @returns a function that gives null until the web app is built
 */
export function builtWeb(folder: string, publicUrl: string, mark: string | null): () => BuiltWeb | null {
  let known: (BuiltWeb & { builtAt: number }) | null = null;
  const index = join(folder, 'index.html');
  return () => {
    const builtAt = statSync(index, { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === undefined) return null;
    if (known?.builtAt !== builtAt) {
      const page = readFileSync(index, 'utf8').replace('<html ', mark ? `<html ${mark} ` : '<html ');
      const pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as BuiltPage[];
      // A function keeps a `$` in an address from being read as a pattern.
      known = { builtAt, pages, html: (of) => page.replace(HEAD, () => pageHead(of, publicUrl)) };
    }
    return known;
  };
}

/** The page of an address as the router would choose it; undefined where it shows its 404 page. */
export function pageAt(pages: BuiltPage[], address: string): BuiltPage | undefined {
  let path = address;
  try {
    path = decodeURI(address);
  } catch {
    // The router takes a broken address as it stands.
  }
  const parts = path
    .replace(/(.)\/+$/, '$1')
    .toLowerCase()
    .split('/');
  return pages.find((page) => {
    const asked = page.path.toLowerCase().split('/');
    return (
      page.path !== '*' &&
      asked.length === parts.length &&
      asked.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
    );
  });
}
