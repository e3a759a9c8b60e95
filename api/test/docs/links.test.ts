import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const pagesIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

const pages = ['.', '.github', 'api', 'api/decisions', 'api/docs', 'api/docs/sources', 'web/e2e'].flatMap(pagesIn);

/** Paths in a page are relative to one of these folders, or to the page's own. */
const bases = ['.', 'api', 'api/src', 'web', 'web/src'];

const proseOf = (page: string): string =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/^ {4}.*$/gm, '');

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );

function brokenLinks(page: string, text = proseOf(page)): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? join(root, page) : join(root, dirname(page), path);
    if (!existsSync(file)) return true;
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor);
  });
}

const exists = (path: string): boolean => ['', '.ts', '.tsx', '.test.ts'].some((end) => existsSync(path + end));

/** A text counts as a path if its first folder exists. A path with a placeholder such as NNN names no single file. */
function missingPaths(page: string, text = proseOf(page)): string[] {
  const named = [...text.matchAll(/`(\w[\w.@-]*(?:\/[\w.@-]+)*\/?)`/g)].map(([, path = '']) => path);
  const folders = [dirname(page), ...bases].map((base) => join(root, base));
  return named.filter((path) => {
    const [first = '', ...rest] = path.split('/');
    const isPath = rest.length > 0 && folders.some((folder) => existsSync(join(folder, first)));
    return isPath && !path.includes('NNN') && !folders.some((folder) => exists(join(folder, path)));
  });
}

it('every link and path of the pages leads to an existing file', () => {
  const missing = pages.flatMap((page) =>
    [...brokenLinks(page), ...missingPaths(page)].map((target) => `${page}: ${target}`),
  );
  expect(missing).toEqual([]);
});

it('a broken link and a missing path are found', () => {
  const page = '`jobs/no-such-job` and `api/README.md`, [here](README.md#no-such-heading), [there](no-such-page.md)';
  expect([brokenLinks, missingPaths].map((find) => find('api/README.md', page))).toEqual([
    ['README.md#no-such-heading', 'no-such-page.md'],
    ['jobs/no-such-job'],
  ]);
});
