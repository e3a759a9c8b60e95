import { Box, chakra, Flex } from '@chakra-ui/react';
import { NotebookPen } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { FormError } from '../../../ui/form/FormError.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import { Skeleton } from '../../../ui/parts/states.tsx';
import type { NoteEditorProps } from './NoteEditor.tsx';
import { type NotedListing, useNote } from './use-note.ts';

const NotLoaded = (_props: NoteEditorProps): ReactNode => (
  <FormError>The note can't be written now. Please check your connection, then reload the page.</FormError>
);

/** The editor, whose code is loaded when a note is first written. */
const LazyEditor = lazy(() =>
  import('./NoteEditor.tsx').then(
    (module): { default: typeof NotLoaded } => ({ default: module.NoteEditor }),
    () => ({ default: NotLoaded }),
  ),
);

interface CarNoteProps {
  listing: NotedListing;
  /** Id of the element that names the car. */
  describedBy: string;
}

/** The buyer's own note about a car, with a button that writes it. */
export function CarNote({ listing, describedBy }: CarNoteProps) {
  const { draft, edit, cancel, save } = useNote(listing);
  const box = useRef<HTMLDivElement>(null);
  const isOpen = draft !== null;
  const hasNote = Boolean(listing.note);
  const wasOpen = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a note that comes or goes has another button
  useEffect(() => {
    if (isOpen) wasOpen.current = true;
    // The editor, or the other button, is gone with the focus.
    else if (wasOpen.current && document.activeElement === document.body) box.current?.querySelector('button')?.focus();
  }, [isOpen, hasNote]);
  return (
    <Box ref={box} display="grid" flex={isOpen || hasNote ? '1 1 100%' : undefined} minW="0">
      {draft ? (
        <Suspense fallback={<Skeleton h="200px" borderRadius="field" my="1" />}>
          <LazyEditor
            key={draft.refusal}
            title={listing.title}
            draft={draft}
            onSave={(text) => void save(text)}
            onCancel={cancel}
          />
        </Suspense>
      ) : listing.note ? (
        <Flex align="flex-start" gap="2" bg="sunk" borderRadius="field" pl="3" my="1" fontSize="sm">
          <chakra.span color="muted" pt={{ base: '14px', md: '10px' }}>
            <NotebookPen size={15} aria-hidden />
          </chakra.span>
          <Box flex="1" minW="0" py={{ base: '12px', md: '8px' }} whiteSpace="pre-wrap" overflowWrap="anywhere">
            <bdi>{listing.note}</bdi>
          </Box>
          <Button variant="ghost" size="sm" aria-label="Edit note" aria-describedby={describedBy} onClick={edit}>
            Edit
          </Button>
        </Flex>
      ) : (
        <Button variant="link" size="text" color="muted" gap="1.5" aria-describedby={describedBy} onClick={edit}>
          <NotebookPen size={15} aria-hidden />
          Add a note
        </Button>
      )}
    </Box>
  );
}
