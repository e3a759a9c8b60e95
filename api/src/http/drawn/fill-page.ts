import { styleSource } from '../../base/content-policy.ts';
import { escapeHtml } from '../../messages/mail-layout.ts';
import type { DrawnPage } from './draw-thread.ts';

/** How a page of `pages.json` is drawn. */
export interface DrawRule {
  /** When the app takes the page over, for `start.js`. */
  starts: 'late' | 'live' | 'soon';
  /** For how many seconds a drawn page serves all visitors; until the next build without it. */
  seconds?: number;
  /** Whether what it shows depends on the search of its address; with one it is drawn for one visitor alone. */
  readsSearch?: true;
  /** Whether a form of the page is sent by the browser itself when no script runs. */
  posts?: true;
}

/** The file of a page as it is sent. */
export interface PageFile {
  html: string;
  /** Sources of its inline styles, for its policy. */
  styles: readonly string[];
}

const ROOT = '<div id="root"></div>';
const NOSCRIPT = ['<noscript>', '</noscript>'] as const;
const SCRIPT = ['<script type="module" crossorigin src="', '"></script>'] as const;
const PRELOAD = ['<link rel="modulepreload" crossorigin href="', '">'] as const;

/** Takes out all elements that begin and end so. @returns what is left, and what stood between */
function takeOut(html: string, [begin, end]: readonly [string, string]): { left: string; found: string[] } {
  const [first = '', ...parts] = html.split(begin);
  const found: string[] = [];
  let left = first;
  for (const part of parts) {
    const at = part.indexOf(end);
    found.push(part.slice(0, at));
    left += part.slice(at + end.length);
  }
  return { left, found };
}

/** Replaces the document's title, which previews of the address don't show. */
function withTitle(html: string, title: string): string {
  const [before = '', after = ''] = html.split('<title>', 2);
  return `${before}<title>${escapeHtml(title)} · LotWatch${after.slice(after.indexOf('</title>'))}`;
}

/**
 * Puts a drawn page into the app's file. The app's scripts become a list, which `start.js` loads when somebody is there.
 * @param file with the page's head
 * @param rule `ofUser` for a page with a user's data, which the app removes once it has read it
 */
export function fillPage(
  { html, styles }: PageFile,
  page: DrawnPage,
  { starts, ofUser = false }: Pick<DrawRule, 'starts'> & { ofUser?: boolean },
): PageFile {
  const withoutPreloads = takeOut(html, PRELOAD);
  const withoutScript = takeOut(withoutPreloads.left, SCRIPT);
  const scripts = [...withoutScript.found, ...withoutPreloads.found];
  const sheets = page.styles.map(({ name, css }) => `<style data-emotion="${escapeHtml(name)}">${css}</style>`);
  const data = [
    `<script type="application/json" id="scripts">${JSON.stringify(scripts)}</script>`,
    `<script type="application/json" id="${ofUser ? 'first-data' : 'drawn'}">${page.data}</script>`,
  ];
  // With functions, a `$` in what is put in is not a replacement pattern.
  const titled = page.title === null ? withoutScript.left : withTitle(withoutScript.left, page.title);
  const filled = takeOut(titled, NOSCRIPT)
    .left.replace('<html ', () => `<html data-starts="${starts}" `)
    .replace('</head>', () => `${sheets.join('')}</head>`)
    .replace(ROOT, () => `<div id="root">${page.html}</div>`)
    .replace('</body>', () => `${data.join('')}</body>`);
  return { html: filled, styles: [...styles, ...page.styles.map(({ css }) => styleSource(css))] };
}
