import { useApolloClient } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { type FormEvent, useRef, useState } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { announce } from '../../lib/state/announce.ts';
import { MAX_SHARED } from '../../lib/text/shared-text.ts';
import { Field } from '../../ui/form/Field.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { BusyButton } from '../../ui/parts/Button.tsx';
import { ExplanationView } from './ExplanationView.tsx';
import { ExplainListingDocument } from './explanation-document.ts';
import type { Explanation } from './explanation-words.ts';

interface WhyNotBoxProps {
  alertId: string;
  /** What the field begins with. It is asked only when the button is pressed, as a link may have brought it. */
  initial?: string;
}

/** Asks why a car is, or is not, among the matches of an alert. */
export function WhyNotBox({ alertId, initial = '' }: WhyNotBoxProps) {
  const client = useApolloClient();
  const [text, setText] = useState(initial);
  const [error, setError] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const [explanation, setExplanation] = useState<Explanation>();
  const input = useRef<HTMLInputElement>(null);

  async function ask(listing: string) {
    if (isAsking) return;
    if (listing.trim() === '') {
      setError('Enter the address, number or title of a listing.');
      input.current?.focus();
      return;
    }
    setIsAsking(true);
    setError(undefined);
    try {
      const { data } = await client.query({
        query: ExplainListingDocument,
        variables: { alertId, listing },
        fetchPolicy: 'no-cache',
      });
      setExplanation(data?.explainListing);
      if (data) announce(data.explainListing.message);
    } catch (failure) {
      const fault = readFault(failure);
      setExplanation(undefined);
      setError(fault.fields.listing ?? fault.message);
    } finally {
      setIsAsking(false);
    }
  }

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void ask(text);
  };

  return (
    <Flex direction="column" gap="3.5">
      <form noValidate aria-label="Why is a car missing?" onSubmit={onSubmit}>
        <Field
          label="Which car did you expect?"
          error={error}
          hint="The address of its listing, its number, or words of its title."
        >
          {(control) => (
            <Flex gap="2.5" align="flex-start">
              <TextInput
                {...control}
                ref={input}
                name="listing"
                value={text}
                maxLength={MAX_SHARED}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                enterKeyHint="search"
                onChange={(event) => setText(event.currentTarget.value)}
              />
              <BusyButton type="submit" variant="outline" flexShrink={0} minH="44px" isBusy={isAsking}>
                {isAsking ? 'Looking...' : 'Find out'}
              </BusyButton>
            </Flex>
          )}
        </Field>
      </form>
      {explanation ? (
        <Box as="section" aria-label="The answer">
          <ExplanationView
            explanation={explanation}
            onChoose={(id) => {
              input.current?.focus();
              void ask(`#${id}`);
            }}
          />
        </Box>
      ) : null}
    </Flex>
  );
}
