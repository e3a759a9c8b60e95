import type {} from 'monaco-editor';
import EditorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker';
import JsonWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker';
import GraphqlWorker from 'monaco-graphql/esm/graphql.worker.js?worker';

const workers: Record<string, new () => Worker> = { json: JsonWorker, graphql: GraphqlWorker };

// The workers are files of this origin, so that the policy needs no blob: URLs. GraphiQL's own setup writes to the console.
window.MonacoEnvironment = {
  getWorker: (_id, label) => new (workers[label] ?? EditorWorker)(),
};
