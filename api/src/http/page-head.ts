/** What `pages.json` of the built web app says about an address. */
export interface BuiltPage {
  /** As the router writes it: `/alert/:id`, and `*` for whatever no other route takes. */
  path: string;
  /** A page of its own beside the app, like `playground.html`; without it the app's index.html. */
  file?: string;
  /** Files that the page needs beyond the app's first ones, without a leading slash. */
  scripts: string[];
  /** What crawlers read; null for pages that are not for them. */
  head: { title: string; description: string } | null;
}

const SITE = 'LotWatch';
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that may stand in HTML, between tags and within quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

const meta = (kind: 'name' | 'property', key: string, content: string): string =>
  `<meta ${kind}="${key}" content="${escapeHtml(content)}">`;

/**
 * The lines of a page's `<head>` that crawlers and shared links read: they run no scripts.
 * @param publicUrl where browsers reach us, without a trailing slash
 */
export function pageHead(page: BuiltPage | undefined, publicUrl: string): string {
  const scripts = (page?.scripts ?? []).map(
    (file) => `<link rel="modulepreload" crossorigin href="/${escapeHtml(file)}">`,
  );
  if (!page?.head) {
    const title = page ? SITE : `404 Page Not Found · ${SITE}`;
    return [`<title>${title}</title>`, meta('name', 'robots', 'noindex'), ...scripts].join('\n    ');
  }
  const title = `${page.head.title} · ${SITE}`;
  const address = `${publicUrl}${page.path}`;
  const { description } = page.head;
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', description),
    `<link rel="canonical" href="${escapeHtml(address)}">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', SITE),
    meta('property', 'og:locale', 'en_US'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', address),
    meta('property', 'og:image', `${publicUrl}/icons/social.png`),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', 'LotWatch: find your dream car the minute it is listed'),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', title),
    meta('name', 'twitter:description', description),
    meta('name', 'twitter:image', `${publicUrl}/icons/social.png`),
    ...scripts,
  ].join('\n    ');
}
