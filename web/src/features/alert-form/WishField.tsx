import { useApolloClient } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { useFormikContext } from 'formik';
import { Sparkles } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { graphql } from '../../gql/gql.ts';
import type { ReadWishQuery } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { announce } from '../../lib/state/announce.ts';
import { MAX_SHARED } from '../../lib/text/shared-text.ts';
import { Field } from '../../ui/form/Field.tsx';
import { TextArea } from '../../ui/form/inputs.tsx';
import { BusyButton, Button } from '../../ui/parts/Button.tsx';
import { Chip, Muted } from '../../ui/parts/Card.tsx';
import type { AlertFormValues } from './alert-form-values.ts';
import { undoneChanges, wishChanges } from './wish-values.ts';

const ReadWishDocument = graphql(`
  query ReadWish($text: String!) {
    readWish(text: $text) {
      input {
        make
        model
        yearMin
        yearMax
        priceMin
        priceMax
        location
        radius
        color
        onlyWithImages
        mileageMax
        models
        transmission
        fuel
        drive
        body
        titleStatus
        excludeWords
        requireWords
        priceStated
        belowFairPrice
      }
      understood {
        fields
        text
        value
      }
      notUnderstood
    }
  }
`);

const TOO_LONG = `Please say it in at most ${MAX_SHARED} characters`;
const EXAMPLE = 'Blue Civic under 9k within 40 miles of Reno, 2014 or newer';

type Wish = ReadWishQuery['readWish'];

/** What the last reading did to the form. */
interface Outcome {
  wish: Wish;
  changes: Partial<AlertFormValues>;
  before: AlertFormValues;
}

/** What was shared with the app, and led to the form. */
function sharedWish(state: unknown): string {
  const isGiven = typeof state === 'object' && state !== null && 'wish' in state;
  return isGiven && typeof state.wish === 'string' ? state.wish.slice(0, MAX_SHARED) : '';
}

/** Fills the form by a sentence. Enter reads it, as a search box does; Shift and Enter begin a new line. */
export function WishField() {
  const client = useApolloClient();
  const { values, setValues } = useFormikContext<AlertFormValues>();
  const { state } = useLocation();
  const [text, setText] = useState(() => sharedWish(state));
  const [error, setError] = useState<string>();
  const [isReading, setIsReading] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const box = useRef<HTMLTextAreaElement>(null);
  // The values when the answer comes, not when the question was sent: the buyer may go on typing below.
  const current = useRef(values);
  current.current = values;

  async function read() {
    if (isReading || text.trim() === '') {
      box.current?.focus();
      return;
    }
    if (text.length > MAX_SHARED) {
      setError(TOO_LONG);
      return;
    }
    setIsReading(true);
    setError(undefined);
    try {
      const { data } = await client.query({
        query: ReadWishDocument,
        variables: { text },
        fetchPolicy: 'no-cache',
      });
      if (data) fill(data.readWish);
    } catch (failure) {
      const fault = readFault(failure);
      setOutcome(undefined);
      setError(fault.fields.text ?? fault.message);
    } finally {
      setIsReading(false);
    }
  }

  function fill(wish: Wish) {
    const before = current.current;
    const changes = wishChanges(wish.input, before);
    setOutcome({ wish, changes, before });
    void setValues({ ...before, ...changes });
    announce(spoken(wish));
  }

  function undo({ changes, before }: Outcome) {
    void setValues({ ...values, ...undoneChanges(changes, before, values) });
    setOutcome(undefined);
    announce('The fields are as they were before.');
    box.current?.focus();
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    // Enter in a field of the form would create the alert.
    event.preventDefault();
    void read();
  };

  return (
    <Box>
      <Field
        label="Say it in your own words"
        optional
        error={error}
        hint="You can also paste the address of a search at Facebook Marketplace or Craigslist."
      >
        {(control) => (
          <Flex gap="2.5" direction={{ base: 'column', md: 'row' }} align={{ md: 'stretch' }}>
            <TextArea
              {...control}
              ref={box}
              rows={2}
              minH={{ base: '94px', md: '64px' }}
              value={text}
              placeholder={EXAMPLE}
              autoComplete="off"
              enterKeyHint="go"
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={onKeyDown}
            />
            <BusyButton variant="outline" flexShrink={0} isBusy={isReading} onClick={() => void read()}>
              <Sparkles size={16} aria-hidden />
              {isReading ? 'Reading...' : 'Fill in the form'}
            </BusyButton>
          </Flex>
        )}
      </Field>
      {outcome ? <WishOutcome outcome={outcome} onUndo={() => undo(outcome)} /> : null}
    </Box>
  );
}

/** The outcome in one sentence for screen readers. */
function spoken({ understood, notUnderstood }: Wish): string {
  const filled = understood.map(({ value }) => value).join(', ');
  return [filled ? `Filled in: ${filled}.` : NOTHING, ...notUnderstood].join(' ');
}

const NOTHING = 'Nothing was filled in.';

function WishOutcome({ outcome: { wish, changes }, onUndo }: { outcome: Outcome; onUndo: () => void }) {
  const hasChanged = Object.keys(changes).length > 0;
  return (
    <Flex
      as="section"
      aria-label="What was understood"
      direction="column"
      gap="2.5"
      mt="3"
      p="3.5"
      bg="sunk"
      borderRadius="field"
    >
      <Flex gap="2" align="center" justify="space-between">
        <Muted>{wish.understood.length > 0 ? 'Filled in from your words:' : NOTHING}</Muted>
        {hasChanged ? (
          <Button variant="link" size="text" onClick={onUndo}>
            Undo
          </Button>
        ) : null}
      </Flex>
      {wish.understood.length > 0 ? (
        <chakra.ul display="flex" flexWrap="wrap" gap="2" listStyleType="none" m="0" p="0">
          {wish.understood.map(({ value, text }) => (
            <chakra.li key={`${value} ${text}`} minW="0">
              <Chip whiteSpace="normal" py="1" lineHeight="1.35" overflowWrap="anywhere">
                <span>
                  <span>{value}</span>
                  {value === text ? null : <chakra.span fontWeight="400"> “{text}”</chakra.span>}
                </span>
              </Chip>
            </chakra.li>
          ))}
        </chakra.ul>
      ) : null}
      {wish.notUnderstood.length > 0 ? (
        <chakra.ul m="0" pl="4" fontSize="xs" color="ink" listStyleType="disc">
          {wish.notUnderstood.map((sentence) => (
            <chakra.li key={sentence} overflowWrap="anywhere">
              {sentence}
            </chakra.li>
          ))}
        </chakra.ul>
      ) : null}
    </Flex>
  );
}
