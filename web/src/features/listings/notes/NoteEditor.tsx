import { Flex } from '@chakra-ui/react';
import { NOTE_MAX, noteSchema } from '@lotwatch/api/forms/note';
import { useEffect, useRef } from 'react';
import { FormError } from '../../../ui/form/FormError.tsx';
import { FormField } from '../../../ui/form/FormField.tsx';
import { TextArea } from '../../../ui/form/inputs.tsx';
import { ServerForm } from '../../../ui/form/ServerForm.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import type { NoteDraft } from './use-note.ts';

/** From how many characters on it is said how many there are. */
const COUNTED_FROM = NOTE_MAX - 200;

export interface NoteEditorProps {
  /** The car's title. */
  title: string;
  draft: NoteDraft;
  onSave: (text: string) => void;
  onCancel: () => void;
}

/** Writes the note about a car. It takes the focus; Escape leaves it, and Ctrl or Cmd with Enter saves. */
export function NoteEditor({ title, draft, onSave, onCancel }: NoteEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const area = box.current?.querySelector('textarea');
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  return (
    <Flex ref={box} direction="column" bg="sunk" borderRadius="field" p="3" my="1">
      <ServerForm
        name={`Note about ${title}`}
        initial={{ note: draft.text }}
        schema={noteSchema}
        save={({ note }) => Promise.resolve(onSave(note))}
      >
        {({ values, submitForm }) => (
          <>
            <FormError>{draft.refusal}</FormError>
            <FormField
              name="note"
              label="Your note"
              hint={
                values.note.length < COUNTED_FROM
                  ? 'Only you can read it.'
                  : `${values.note.length.toLocaleString('en-US')} of ${NOTE_MAX.toLocaleString('en-US')} characters`
              }
            >
              {(control) => (
                <TextArea
                  {...control}
                  rows={3}
                  minH="88px"
                  onKeyDown={(event) => {
                    if (event.key === 'Escape') onCancel();
                    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submitForm();
                  }}
                />
              )}
            </FormField>
            <Flex gap="2" justify="flex-end">
              <Button variant="ghost" size="sm" onClick={onCancel}>
                Cancel
              </Button>
              <Button type="submit" size="sm">
                Save note
              </Button>
            </Flex>
          </>
        )}
      </ServerForm>
    </Flex>
  );
}
