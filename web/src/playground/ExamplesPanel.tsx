import { type GraphiQLPlugin, useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { exampleGroups, variablesText } from './examples/all-examples.ts';
import type { Example } from './examples/example.ts';

/** A panel beside the docs and the history with example operations, each of which opens in a tab. */
export const EXAMPLES_PLUGIN: GraphiQLPlugin = { title: 'Examples', icon: ExamplesIcon, content: ExamplesPanel };

function ExamplesIcon() {
  return (
    <svg
      width="1em"
      height="1em"
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
    >
      <path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.7 10.7c.8.7 1.2 1.3 1.2 2.3h5c0-1 .4-1.6 1.2-2.3A6 6 0 0 0 12 3z" />
    </svg>
  );
}

function ExamplesPanel() {
  const open = useOpenExample();
  return (
    <section className="examples" aria-label="Examples">
      <h2 className="title">Examples</h2>
      <p>
        Each opens as a tab of its own. Nothing runs until you press play. With the keyboard, Enter moves into an editor
        and Escape moves out of it.
      </p>
      {exampleGroups.map(({ title, about, examples }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <p>{about}</p>
          <ul>
            {examples.map((example) => (
              <li key={example.name}>
                <button type="button" onClick={() => open(example)}>
                  <span>{example.name}</span>
                  <small>{example.about}</small>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

/** Opens an example: in the tab that has it already, else in an empty one, else in a new one. */
function useOpenExample(): (example: Example) => void {
  const { addTab, changeTab, setVisiblePlugin } = useGraphiQLActions();
  const { tabs, queryEditor, variableEditor } = useGraphiQL(({ tabs, queryEditor, variableEditor }) => ({
    tabs,
    queryEditor,
    variableEditor,
  }));
  return ({ query, variables }) => {
    const known = tabs.findIndex((tab) => tab.query === query);
    if (known >= 0) {
      changeTab(known);
    } else {
      if (queryEditor?.getValue().trim()) addTab();
      queryEditor?.setValue(query);
      variableEditor?.setValue(variablesText(variables));
    }
    // On narrow screens the panel covers the editors.
    if (matchMedia('(max-width: 47.99rem)').matches) setVisiblePlugin(null);
    queryEditor?.focus();
  };
}
