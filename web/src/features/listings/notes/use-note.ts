import { useMutation } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { graphql } from '../../../gql/gql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { announce } from '../../../lib/state/announce.ts';
import { toast } from '../../../lib/state/toasts.ts';

const NoteOnListingDocument = graphql(`
  mutation NoteOnListing($id: ID!, $note: String!) {
    noteOnListing(id: $id, note: $note) {
      id
      note
    }
  }
`);

export interface NotedListing {
  id: string;
  title: string;
  note?: string | null;
  offers: readonly { id?: string | null }[];
}

/** A note that is being written, and why the server refused it before. */
export interface NoteDraft {
  text: string;
  refusal?: string | undefined;
}

/**
 * A car's note and its editor. What is saved shows at once, under every listing of the car; if the server refuses, the
 * editor opens again with the text, or, where that can't be, a message tells it.
 */
export function useNote({ id, title, note, offers }: NotedListing) {
  const [draft, setDraft] = useState<NoteDraft | null>(null);
  /** Whether the editor can open: the card is on the page, and no other text is being written. */
  const canOpen = useRef(false);
  useEffect(() => {
    canOpen.current = draft === null;
    return () => {
      canOpen.current = false;
    };
  }, [draft]);
  const [run] = useMutation(NoteOnListingDocument, {
    update(cache, { data }) {
      const written = data?.noteOnListing.note ?? null;
      for (const offer of offers) {
        if (offer.id && offer.id !== id) {
          cache.modify({
            id: cache.identify({ __typename: 'Listing', id: offer.id }),
            fields: { note: () => written },
          });
        }
      }
    },
  });

  async function save(typed: string): Promise<void> {
    const text = typed.trim();
    setDraft(null);
    if (text === (note ?? '')) return;
    try {
      const noteOnListing = { __typename: 'Listing' as const, id, note: text || null };
      await run({ variables: { id, note: text }, optimisticResponse: { noteOnListing } });
      announce(text ? `Your note about ${title} is saved.` : `Your note about ${title} is removed.`);
    } catch (error) {
      const fault = readFault(error);
      const reason = `Failed to save your note: ${fault.fields.note ?? fault.message}`;
      if (canOpen.current) setDraft({ text: typed, refusal: reason });
      else toast('Error', reason, 'destructive');
    }
  }

  return { draft, edit: () => setDraft({ text: note ?? '' }), cancel: () => setDraft(null), save };
}
