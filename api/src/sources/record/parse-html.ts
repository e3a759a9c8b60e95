import { DomHandler, Parser } from 'htmlparser2';

/** Browsers nest no deeper either. A parser looks for each end tag among all open elements. */
const MAX_DEPTH = 512;
/** Elements, texts and comments, of some 300 bytes each; the page of a dealer with hundreds of cars has 30,000. */
const MAX_NODES = 150_000;
const MAX_ATTRIBUTES = 200_000;

class TooMuch extends Error {}

class BoundedHandler extends DomHandler {
  private nodesLeft = MAX_NODES;
  private attributesLeft = MAX_ATTRIBUTES;

  protected override addNode(node: HtmlNode): void {
    if (isElement(node)) this.attributesLeft -= Object.keys(node.attribs).length;
    if (this.tagStack.length > MAX_DEPTH || this.nodesLeft-- <= 0 || this.attributesLeft < 0) throw new TooMuch();
    super.addNode(node);
  }
}

export type HtmlNode = DomHandler['root']['children'][number];
export type HtmlElement = Extract<HtmlNode, { attribs: unknown }>;

export const isElement = (node: HtmlNode): node is HtmlElement => 'attribs' in node;

export interface Html {
  nodes: HtmlNode[];
  /** Whether something stands behind these nodes that was not read. */
  isCut: boolean;
}

/**
 * The nodes of a page. HTML that is not well formed is read as far as browsers would; where elements nest deeper than 512,
 * or are more than 150,000 with their texts, what stands before that is returned.
 */
export function parseHtml(html: string): Html {
  const handler = new BoundedHandler();
  const parser = new Parser(handler);
  let isCut = false;
  try {
    parser.end(html);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    isCut = true;
  }
  return { nodes: handler.root.children, isCut };
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
const cells = new Set(['td', 'th']);
const lines = new Set(
  'address article aside blockquote br caption center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);

/**
 * The text of an element as it is read: a line for each block, with blanks between the cells of a table. The text of
 * scripts is left out.
 * @param longest how many characters and elements are looked at
 * @param spend called with how many were
 */
export function linesIn(element: HtmlElement, longest: number, spend?: (looked: number) => void): string {
  const parts: string[] = [];
  let length = 0;
  const stack: (HtmlNode | '\n' | ' ')[] = [element];
  for (let node = stack.pop(); node && length < longest; node = stack.pop()) {
    length++;
    if (typeof node === 'string') parts.push(node);
    else if (isElement(node)) {
      if (unread.has(node.name)) continue;
      const around = lines.has(node.name) ? '\n' : cells.has(node.name) ? ' ' : null;
      if (around) {
        parts.push(around);
        stack.push(around);
      }
      for (let index = node.children.length - 1; index >= 0; index--) {
        const child = node.children[index];
        if (child) stack.push(child);
      }
    } else if (node.type === 'text') {
      parts.push(node.data.replace(/\s+/g, ' '));
      length += node.data.length;
    }
  }
  spend?.(length);
  return parts
    .join('')
    .split('\n')
    .flatMap((line) => line.replace(/\s+/g, ' ').trim() || [])
    .join('\n');
}

/** The text of an element with single blanks, on one line. @see linesIn */
export const textIn = (...given: Parameters<typeof linesIn>): string => linesIn(...given).replaceAll('\n', ' ');
