/** An element of a mail, with its attributes and its inline style. */
export interface MailElement {
  tag: string;
  attributes: Readonly<Record<string, string>>;
  style: Readonly<Record<string, string>>;
  isHidden: boolean;
}

/** A text as it is shown: its colors are those of the nearest elements that set them. */
export interface ShownText {
  text: string;
  color: string;
  background: string;
}

interface Open extends MailElement {
  color: string;
  background: string;
}

const voids = new Set(['meta', 'img', 'br', 'hr', '!doctype']);

const entriesOf = (style: string): [string, string][] =>
  style.split(';').flatMap((part) => {
    const [name, ...value] = part.split(':');
    return value.length === 0 || name === undefined ? [] : [[name.trim(), value.join(':').trim()]];
  });

/** The colors that the style sheet gives to classes in dark mode. */
function darkRules(html: string): Map<string, [string, string][]> {
  const block = /@media \(prefers-color-scheme:dark\)\{(.*?\})\}/s.exec(html)?.[1] ?? '';
  return new Map(
    [...block.matchAll(/\.([\w-]+)\{([^}]*)\}/g)].map(([, name = '', style = '']) => [
      name,
      entriesOf(style.replaceAll('!important', '')),
    ]),
  );
}

/**
 * Reads a mail's HTML, which our templates write without optional end tags.
 * @param isDark with the style sheet's colors of dark mode; otherwise as where `<style>` is dropped
 * @throws for tags that don't fit together
 */
export function readMailHtml(html: string, isDark = false): { elements: MailElement[]; texts: ShownText[] } {
  const dark = isDark ? darkRules(html) : new Map<string, [string, string][]>();
  const elements: MailElement[] = [];
  const texts: ShownText[] = [];
  const open: Open[] = [];
  const plain = html.replace(/<!--.*?-->/gs, '').replace(/<style>.*?<\/style>/gs, '');
  for (const [, end, name, rest = '', text] of plain.matchAll(/<(\/?)([!a-z][\w]*)([^>]*)>|([^<]+)/gi)) {
    const parent = open.at(-1);
    if (text !== undefined) {
      if (
        parent &&
        !parent.isHidden &&
        text.trim() !== '' &&
        text.trim() !== '&nbsp;' &&
        open.some(({ tag }) => tag === 'body')
      ) {
        texts.push({ text: text.trim(), color: parent.color, background: parent.background });
      }
      continue;
    }
    const tag = (name ?? '').toLowerCase();
    if (end === '/') {
      if (open.pop()?.tag !== tag) throw new Error(`</${tag}> ends another element`);
      continue;
    }
    const attributes = Object.fromEntries(
      [...rest.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, attribute = '', value = '']) => [attribute, value]),
    );
    const classes = (attributes.class ?? '').split(' ').flatMap((one) => dark.get(one) ?? []);
    const style = Object.fromEntries([...entriesOf(attributes.style ?? ''), ...classes]);
    const element: Open = {
      tag,
      attributes,
      style,
      isHidden: parent?.isHidden === true || style.display === 'none',
      color: style.color ?? parent?.color ?? '#000000',
      background: style['background-color'] ?? parent?.background ?? '#FFFFFF',
    };
    elements.push(element);
    if (tag === 'img') texts.push({ text: attributes.alt ?? '', color: element.color, background: element.background });
    if (!voids.has(tag)) open.push(element);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)?.tag}> does not end`);
  return { elements, texts };
}

const channels = (color: string): number[] => {
  const [, hex] = /^#([0-9a-f]{6})$/i.exec(color) ?? [];
  if (hex === undefined) throw new Error(`${color} is no color of six digits`);
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
};

/** Source: WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((part) =>
    part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The ratio of contrast of two colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** A color with its lightness inverted, as Gmail and Outlook show light mails in their dark mode. */
export function inverted(color: string): string {
  const parts = channels(color);
  const sum = Math.max(...parts) + Math.min(...parts);
  // In HSL, the lightness is half the sum, and adding the same to all channels keeps hue and chroma.
  const shown = parts.map((part) => Math.round(Math.min(1, Math.max(0, part + 1 - sum)) * 255));
  return `#${shown.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
