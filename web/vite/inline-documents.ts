import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefinitionNode, Kind, parse, visit } from 'graphql';
import type { Plugin } from 'vite';

const call = /\bgraphql\(\s*`([^`]*)`\s*,?\s*\)/g;
const importOfMap = /^import \{ graphql \} from '[^']*\/gql\/gql\.ts';$/m;

/**
 * Puts each operation's parsed document where `graphql()` stands, with the fragments it spreads.
 * Codegen's own map holds every document of the app, so each page would carry all of them.
 */
export function inlineDocuments(sources: string): Plugin {
  let fragments = new Map<string, DefinitionNode>();
  return {
    name: 'inline-documents',
    enforce: 'pre',
    buildStart() {
      fragments = readFragments(sources);
    },
    // While developing, a fragment may change in any file.
    handleHotUpdate() {
      fragments = readFragments(sources);
    },
    transform(code, id) {
      if (!id.startsWith(sources) || !/\.tsx?$/.test(id) || !importOfMap.test(code)) return null;
      const inlined = code.replace(importOfMap, '').replace(call, (_whole, text: string) => {
        const document = { kind: Kind.DOCUMENT, definitions: withFragments(text, fragments) };
        // Lines stay where they were, for whoever reads a stack trace.
        return `(${JSON.stringify(document, dropEmpty)}${text.replace(/[^\n]/g, '')})`;
      });
      if (/\bgraphql\(/.test(inlined)) this.error(`${id}: graphql() takes one plain template`);
      return { code: inlined, map: null };
    },
  };
}

function readFragments(folder: string): Map<string, DefinitionNode> {
  const found = new Map<string, DefinitionNode>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.tsx?$/.test(path) || path.includes('/gql/')) continue;
    for (const [, text = ''] of readFileSync(path, 'utf8').matchAll(call)) {
      for (const node of parse(text, { noLocation: true }).definitions) {
        if (node.kind === Kind.FRAGMENT_DEFINITION) found.set(node.name.value, node);
      }
    }
  }
  return found;
}

function withFragments(text: string, fragments: Map<string, DefinitionNode>): DefinitionNode[] {
  const definitions = [...parse(text, { noLocation: true }).definitions];
  const known = new Set(definitions.map((node) => ('name' in node ? node.name?.value : undefined)));
  // The list grows while it is walked: fragments spread fragments.
  for (const definition of definitions) {
    visit(definition, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment) throw new Error(`No fragment is called ${name.value}`);
        if (!known.has(name.value)) definitions.push(fragment);
        known.add(name.value);
      },
    });
  }
  return definitions;
}

function dropEmpty(_key: string, value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}
