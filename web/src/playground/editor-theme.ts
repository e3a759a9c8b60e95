import { KeyCode, useGraphiQL, useMonaco } from '@graphiql/react';
import { useEffect } from 'react';

/** The design's colours, in place of GraphiQL's pink and blue. */
const colours = {
  light: {
    base: 'vs',
    brand: '#0B5D57',
    panel: '#FFFFFF',
    sunk: '#EFEDE6',
    ink: '#12201F',
    comment: '4A6B3A',
  },
  dark: {
    base: 'vs-dark',
    brand: '#57C9BC',
    panel: '#131E1D',
    sunk: '#0F1918',
    ink: '#E9F0EE',
    comment: '8DB87A',
  },
} as const;

/** In an editor Tab indents, so this key moves the focus out of it. */
const leaveEditor = {
  id: 'lotwatch-leave',
  label: 'Leave the editor',
  keybindings: [KeyCode.Escape],
  keybindingContext: '!suggestWidgetVisible && !findWidgetVisible && !parameterHintsVisible && !inSnippetMode',
};

/** Gives GraphiQL's editors LotWatch's colours, wrapped lines, and a key that leaves them, once they are loaded. */
export function EditorTheme(): null {
  const monaco = useMonaco((state) => state.monaco);
  const editors = useGraphiQL(({ queryEditor, variableEditor, headerEditor, responseEditor }) => ({
    queryEditor,
    variableEditor,
    headerEditor,
    responseEditor,
  }));
  useEffect(() => {
    const undo = Object.values(editors).map((editor) => {
      editor?.updateOptions({ wordWrap: 'on', renderFinalNewline: 'on' });
      return editor?.addAction({ ...leaveEditor, run: () => editor.getContainerDomNode().focus() });
    });
    return () => {
      for (const one of undo) one?.dispose();
    };
  }, [editors]);
  useEffect(() => {
    for (const mode of ['light', 'dark'] as const) {
      const { base, brand, panel, sunk, ink, comment } = colours[mode];
      monaco?.editor.defineTheme(`graphiql-${mode.toUpperCase()}`, {
        base,
        inherit: true,
        rules: [
          { token: 'argument.identifier.gql', foreground: ink.slice(1) },
          { token: 'comment', foreground: comment },
        ],
        colors: {
          'editor.background': '#ffffff00',
          'editor.foreground': ink,
          ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((depth) => [`editorBracketHighlight.foreground${depth}`, ink])),
          'scrollbar.shadow': '#ffffff00',
          'textLink.foreground': brand,
          'textLink.activeForeground': brand,
          'editorLink.activeForeground': brand,
          'editorHoverWidget.background': panel,
          'editorSuggestWidget.background': panel,
          'editorSuggestWidget.selectedBackground': sunk,
          'editorSuggestWidget.selectedForeground': brand,
          'list.hoverBackground': sunk,
          'list.highlightForeground': brand,
          'list.focusHighlightForeground': brand,
          'menu.background': panel,
          'menu.selectionBackground': sunk,
          'menu.selectionForeground': brand,
          'quickInput.background': panel,
          'quickInputList.focusBackground': sunk,
          'quickInputList.focusForeground': ink,
          'editorWidget.background': panel,
          'input.background': sunk,
          focusBorder: brand,
        },
      });
    }
  }, [monaco]);
  return null;
}
