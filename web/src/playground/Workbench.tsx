import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { GraphiQL } from 'graphiql';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
// Not style.css, which contains fonts as data: URLs that the content security policy refuses.
import 'graphiql/graphiql.css';
import './workbench.css';
import type { GraphQLSchema } from 'graphql';
import { useEffect, useState } from 'react';
import { useColourMode } from '../lib/state/colour-mode.ts';
import { AnswerNote } from './AnswerNote.tsx';
import { EXAMPLES_PLUGIN } from './ExamplesPanel.tsx';
import { EditorTheme } from './editor-theme.ts';
import { buyerExamples } from './examples/buyer-examples.ts';
import { visitorExamples } from './examples/visitor-examples.ts';
import { makeStorage } from './storage.ts';
import './monaco-workers.ts';
import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import type { Viewer } from './viewer.ts';

const plugins = [HISTORY_PLUGIN, EXAMPLES_PLUGIN];
const fetcher = makeFetcher();
/** The minimum width for the examples beside the editors. */
const isWide = matchMedia('(min-width: 64rem)').matches;

/** GraphiQL in LotWatch's colours. Signed-in users get the server's schema, visitors the one that is built into the page. */
export function Workbench({ viewer }: { viewer: Viewer | null }) {
  const mode = useColourMode();
  const shipped = useShippedSchema(viewer === null);
  const [memory] = useState(() => makeStorage(viewer?.id ?? 'visitor'));
  const first = (viewer ? buyerExamples : visitorExamples).examples[0];
  return (
    <GraphiQL
      fetcher={fetcher}
      // null keeps GraphiQL from introspecting, which the server refuses to visitors in production.
      schema={viewer ? undefined : shipped}
      plugins={plugins}
      visiblePlugin={isWide ? EXAMPLES_PLUGIN : undefined}
      defaultTabs={first ? [{ query: first.query }] : []}
      storage={memory}
      // Headers may contain API keys.
      shouldPersistHeaders={false}
      // Most examples have variables to edit.
      defaultEditorToolsVisibility="variables"
      maxHistoryLength={50}
      defaultTheme={mode}
      forcedTheme={mode}
    >
      <GraphiQL.Logo>{null}</GraphiQL.Logo>
      <GraphiQL.Footer>
        <AnswerNote />
      </GraphiQL.Footer>
      <EditorTheme />
    </GraphiQL>
  );
}

function useShippedSchema(isNeeded: boolean): GraphQLSchema | null {
  const [schema, setSchema] = useState<GraphQLSchema | null>(null);
  useEffect(() => {
    if (isNeeded) void import('./shipped-schema.ts').then((module) => setSchema(module.shippedSchema));
  }, [isNeeded]);
  return schema;
}

/** Queries and mutations over HTTP, subscriptions over graphql-ws; both with the session's cookie or the headers given. */
function makeFetcher(): Fetcher {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return createGraphiQLFetcher({
    url: '/graphql',
    // Each subscription has its own client, because the headers are its connection parameters.
    subscriptionUrl: `${scheme}://${location.host}/graphql`,
    enableIncrementalDelivery: false,
  });
}
