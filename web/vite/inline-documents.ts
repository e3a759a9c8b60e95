import { type DocumentNode, parse } from 'graphql';
import type { Plugin } from 'vite';
import * as generated from '../src/gql/graphql.ts';

/**
 * Puts each operation's parsed document where a module's constant is made of `graphql()`. Codegen's own map holds every
 * document of the app, so with it each page would carry all of them.
 */
export function inlineDocuments(): Plugin {
  const documents = new Map(Object.values<DocumentNode>(generated).map((document) => [nameOf(document), document]));
  return {
    name: 'inline-documents',
    apply: 'build',
    transform: {
      filter: { code: '/gql/gql.ts' },
      handler(code) {
        const declarations = this.parse(code).body.flatMap((node) => {
          const statement = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
          return statement?.type === 'VariableDeclaration' ? statement.declarations : [];
        });
        let inlined = code;
        // From the last to the first, so that the positions of the others stay right.
        for (const { init } of declarations.reverse()) {
          if (init?.type !== 'CallExpression') continue;
          const [text] = init.arguments;
          if (init.callee.type !== 'Identifier' || init.callee.name !== 'graphql') continue;
          if (text?.type !== 'TemplateLiteral') continue;
          const document = documents.get(nameOf(parse(text.quasis[0]?.value.cooked ?? '')));
          if (!document) this.error('Codegen does not know this document: run `npm run codegen`', init.start);
          inlined = `${inlined.slice(0, init.start)}(${JSON.stringify(document)})${inlined.slice(init.end)}`;
        }
        return { code: inlined, map: null };
      },
    },
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue;
        const map = Object.entries(output.modules).find(([id]) => id.endsWith('/src/gql/gql.ts'))?.[1];
        if (map?.renderedExports.includes('graphql'))
          this.error(`${output.fileName} holds every document: graphql() must be the value of a module's constant`);
      }
    },
  };
}

/** A document is named after its first definition; the fragments that it spreads come after it. */
function nameOf({ definitions: [first] }: DocumentNode): string | undefined {
  return first && 'name' in first ? first.name?.value : undefined;
}
