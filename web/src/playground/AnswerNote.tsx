import { useGraphiQL } from '@graphiql/react';
import { useEffect, useState } from 'react';

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);

/** In the answer's pane while it is empty: how an operation is run. */
export function AnswerNote() {
  const { responseEditor, isFetching } = useGraphiQL(({ responseEditor, isFetching }) => ({
    responseEditor,
    isFetching,
  }));
  const [isEmpty, setEmpty] = useState(true);
  useEffect(() => {
    if (!responseEditor) return;
    const look = () => setEmpty(responseEditor.getValue() === '');
    look();
    const watch = responseEditor.onDidChangeModelContent(look);
    return () => watch.dispose();
  }, [responseEditor]);
  return isEmpty && !isFetching ? <p>Press ▶ or {isMac ? '⌘' : 'Ctrl'}+Enter. The answer appears here.</p> : null;
}
