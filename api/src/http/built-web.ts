import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { styleSource } from '../base/content-policy.ts';
import { type BuiltPage, pageHead } from './page-head.ts';

const INDEX = 'index.html';
const INLINE_STYLE = /<style>([^<]*)<\/style>/g;
const HEAD = /<!-- head -->[\s\S]*<!-- \/head -->/;

/** A page's file as it is sent. */
export interface PageFile {
  html: string;
  /** Of the styles that stand in it, for its policy. */
  styles: readonly string[];
}

interface BuiltWeb {
  /** null where the build left no list: then every address is taken for a page. */
  pages: BuiltPage[] | null;
  /** Its file with the head of that page; of none, the 404 page. null where the file is not built yet. */
  file(page: BuiltPage | undefined): PageFile | null;
}

/**
 * Reads what the build left, and again after the next build.
 * @param mark stands as an attribute of `<html>`, such as `data-test-mode`
 * @returns a function that gives null until the web app is built
 */
export function builtWeb(folder: string, publicUrl: string, mark: string | null): () => BuiltWeb | null {
  let known: (BuiltWeb & { builtAt: string }) | null = null;
  const index = join(folder, INDEX);
  const list = join(folder, 'pages.json');
  const files = new Map<string, PageFile & { writtenAt: number }>();
  const read = (name: string): PageFile | null => {
    const path = join(folder, name);
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (writtenAt === undefined) return null;
    const before = files.get(name);
    if (before?.writtenAt === writtenAt) return before;
    const html = readFileSync(path, 'utf8').replace('<html ', mark ? `<html ${mark} ` : '<html ');
    const styles = [...html.matchAll(INLINE_STYLE)].map(([, css = '']) => styleSource(css));
    const file = { html, styles, writtenAt };
    files.set(name, file);
    return file;
  };
  return () => {
    // Both are looked at: a build that is under way has written one of them.
    const [written, listed] = [index, list].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs);
    if (written === undefined) return null;
    const builtAt = `${written} ${listed}`;
    if (known?.builtAt !== builtAt) {
      const pages = readPages(list);
      const file = (of: BuiltPage | undefined) => {
        const found = read(of?.file ?? INDEX);
        if (!found) return null;
        // A function keeps a `$` in an address from being read as a pattern.
        const html = found.html.replace(HEAD, (head) => (pages ? pageHead(of, publicUrl) : head));
        return { html, styles: found.styles };
      };
      known = { builtAt, pages, file };
    }
    return known;
  };
}

/** null where there is no list, or half of one. */
function readPages(file: string): BuiltPage[] | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as BuiltPage[];
  } catch {
    return null;
  }
}

/** The page of an address as the router would choose it; undefined where it shows its 404 page. */
export function pageAt(pages: BuiltPage[], address: string): BuiltPage | undefined {
  let path = address;
  try {
    path = decodeURI(address);
  } catch {
    // The router takes a broken address as it stands.
  }
  const parts = path.toLowerCase().split('/');
  // One by one: a pattern would look at a row of slashes once for each of them.
  while (parts.length > 2 && parts.at(-1) === '') parts.pop();
  return pages.find((page) => {
    const asked = page.path.toLowerCase().split('/');
    return (
      page.path !== '*' &&
      asked.length === parts.length &&
      asked.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
    );
  });
}
