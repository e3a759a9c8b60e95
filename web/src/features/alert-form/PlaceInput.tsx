import { useApolloClient } from '@apollo/client/react';
import { Box, chakra } from '@chakra-ui/react';
import { MapPin } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { FieldControlProps } from '../../ui/form/Field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';

const PlaceSuggestionsDocument = graphql(`
  query PlaceSuggestions($text: String!) {
    locationSuggestions(text: $text) {
      label
      name
      state
      zip
    }
  }
`);

const debounceMs = 180;
const minTextLength = 2;

interface PlaceInputProps extends FieldControlProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
}

/** City, state or ZIP with suggestions while typing. Free text stays allowed: the server has the last word. */
export function PlaceInput({ name, value, onChange, onBlur, ...control }: PlaceInputProps) {
  const [query, setQuery] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const labels = useSuggestions(query);
  const shown = isOpen ? labels : [];
  const listId = `${control.id}-places`;

  const choose = (label: string) => {
    onChange(label);
    close();
  };
  const close = () => {
    setIsOpen(false);
    setActive(-1);
    setQuery('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (shown.length === 0) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      // -1 is the typed text itself, which comes between the last suggestion and the first.
      const count = shown.length + 1;
      setActive(((active + 1 + step + count) % count) - 1);
    }
    const picked = shown[active];
    if (event.key === 'Enter' && picked !== undefined) {
      event.preventDefault();
      choose(picked);
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      close();
    }
  };

  return (
    <Box position="relative">
      <TextInput
        {...control}
        name={name}
        value={value}
        placeholder="City, state or ZIP"
        autoComplete="off"
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={shown[active] === undefined ? undefined : `${listId}-${active}`}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          setQuery(event.currentTarget.value.trim());
          setIsOpen(true);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          onBlur();
        }}
      />
      <VisuallyHidden role="status">
        {shown.length > 0 ? `${shown.length} ${shown.length === 1 ? 'place' : 'places'} suggested` : ''}
      </VisuallyHidden>
      <SuggestionList id={listId} labels={shown} active={active} onChoose={choose} />
    </Box>
  );
}

interface SuggestionListProps {
  id: string;
  labels: string[];
  active: number;
  onChoose: (label: string) => void;
}

function SuggestionList({ id, labels, active, onChoose }: SuggestionListProps) {
  return (
    <chakra.div
      id={id}
      role="listbox"
      aria-label="Places"
      hidden={labels.length === 0}
      position="absolute"
      top="calc(100% + 4px)"
      insetX="0"
      zIndex="pop"
      p="1.5"
      bg="panel"
      borderWidth="1px"
      borderColor="line"
      borderRadius="field"
      boxShadow="pop"
    >
      {labels.map((label, index) => (
        <chakra.div
          key={label}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          display="flex"
          alignItems="center"
          gap="2"
          px="3"
          minH={{ base: '44px', md: '36px' }}
          borderRadius="chip"
          fontSize="sm"
          cursor="pointer"
          bg={index === active ? 'brandSoft' : 'transparent'}
          _hover={{ bg: index === active ? 'brandSoft' : 'sunk' }}
          // Before blur, so that the field keeps its focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onChoose(label);
          }}
        >
          <MapPin size={15} aria-hidden />
          {label}
        </chakra.div>
      ))}
    </chakra.div>
  );
}

/** Suggestions for the typed text, after a pause; an answer to an older text is dropped. */
function useSuggestions(query: string): string[] {
  const client = useApolloClient();
  const [labels, setLabels] = useState<string[]>([]);
  const wanted = useRef('');
  useEffect(() => {
    wanted.current = query;
    if (query.length < minTextLength) {
      setLabels([]);
      return;
    }
    const timer = setTimeout(() => {
      client.query({ query: PlaceSuggestionsDocument, variables: { text: query } }).then(
        ({ data }) => {
          if (wanted.current !== query) return;
          setLabels([...new Set((data?.locationSuggestions ?? []).map((place) => place.label))].slice(0, 8));
        },
        // Without suggestions the field is still a text field.
        () => setLabels([]),
      );
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [client, query]);
  return labels;
}
