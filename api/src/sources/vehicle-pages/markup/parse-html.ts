import { DomHandler, Parser } from 'htmlparser2';

/** Browsers nest no deeper either. A parser looks for each end tag among all open elements. */
const MAX_DEPTH = 512;

class TooDeep extends Error {}

class BoundedHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > MAX_DEPTH) throw new TooDeep();
    super.onopentag(name, attributes);
  }
}

export type HtmlNode = DomHandler['root']['children'][number];
export type HtmlElement = Extract<HtmlNode, { attribs: unknown }>;

export const isElement = (node: HtmlNode): node is HtmlElement => 'attribs' in node;

/**
 * The nodes of a page. HTML that is not well formed is read as far as browsers would; where elements nest deeper than 512,
 * what stands before that is returned.
 */
export function parseHtml(html: string): HtmlNode[] {
  const handler = new BoundedHandler();
  const parser = new Parser(handler);
  try {
    parser.end(html);
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  return handler.root.children;
}

/** All elements among nodes and below them, in the order of the page. */
export function* elementsOf(nodes: readonly HtmlNode[]): Generator<HtmlElement> {
  const stack = [...nodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index];
      if (child) stack.push(child);
    }
  }
}

const unread = new Set(['script', 'style', 'template', 'noscript']);

/**
 * The text of an element as it is read, with single spaces; the text of scripts is left out.
 * @param longest how many characters and elements are looked at
 */
export function textIn(element: HtmlElement, longest: number): string {
  const parts: string[] = [];
  let length = 0;
  const stack: HtmlNode[] = [element];
  for (let node = stack.pop(); node && length < longest; node = stack.pop()) {
    length++;
    if (isElement(node)) {
      if (unread.has(node.name)) continue;
      // A line break and a block separate words.
      if (node.name === 'br' || node.name === 'p' || node.name === 'li' || node.name === 'div') parts.push(' ');
      for (let index = node.children.length - 1; index >= 0; index--) {
        const child = node.children[index];
        if (child) stack.push(child);
      }
    } else if (node.type === 'text') {
      parts.push(node.data);
      length += node.data.length;
    }
  }
  return parts.join('').replace(/\s+/g, ' ').trim();
}
