import { Box, chakra, Flex } from '@chakra-ui/react';
import { useFormikContext } from 'formik';
import { Plus, Undo2 } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { announce } from '../../lib/state/announce.ts';
import { EmptyLot } from '../../ui/parts/art.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { Spinner } from '../../ui/parts/states.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import type { AlertFormValues } from '../alert-form/alert-form-values.ts';
import { PreviewSamples } from './PreviewSamples.tsx';
import { PreviewSkeleton } from './PreviewSkeleton.tsx';
import { countText, messagesText, missingText, type Preview, periodText, type Step, stepsOf } from './preview-words.ts';
import { type PreviewState, usePreview } from './use-preview.ts';

/** A step that was taken, and what it replaced. */
interface Taken {
  step: Step;
  before: Partial<AlertFormValues>;
}

/** What the alert of the form around it would have brought, counted again while one fills the form. */
export function PreviewPanel() {
  const { values, setValues } = useFormikContext<AlertFormValues>();
  const state = usePreview(values);
  const titleId = useId();
  const [taken, setTaken] = useState<Taken>();
  const panel = useRef<HTMLElement>(null);

  const change = (changes: Partial<AlertFormValues>) => void setValues({ ...values, ...changes });
  function take(step: Step) {
    const names = Object.keys(step.changes) as (keyof AlertFormValues)[];
    setTaken({ step, before: Object.fromEntries(names.map((name) => [name, values[name]])) });
    change(step.changes);
    announce(step.done);
  }
  function undo({ before }: Taken) {
    change(before);
    setTaken(undefined);
    announce('The fields are as they were before.');
    panel.current?.focus();
  }
  // What was changed by hand since then is not undone.
  const isUntouched =
    taken &&
    Object.entries(taken.step.changes).every(([name, value]) => values[name as keyof AlertFormValues] === value);

  return (
    <Card
      as="section"
      ref={panel}
      tabIndex={-1}
      aria-labelledby={titleId}
      aria-busy={state.kind === 'loading' || (state.kind === 'counted' && state.isOld)}
      pad="md"
      // Above the buttons it keeps its height, so that they stay where they are when the answer comes.
      minH={state.kind === 'unfilled' ? undefined : { base: '480px', md: '440px', xl: '0' }}
      position={{ xl: 'sticky' }}
      top={{ xl: '84px' }}
    >
      <Flex align="center" justify="space-between" gap="3" minH="22px">
        <Heading as="h2" id={titleId} size="sm">
          What this alert would bring
        </Heading>
        {state.kind === 'counted' && state.isOld ? (
          <Box animation="appear 1ms 150ms both" h="18px">
            <Spinner size={18} label="Counting matches" />
          </Box>
        ) : null}
      </Flex>
      <VisuallyHidden role="status">{spoken(state)}</VisuallyHidden>
      <PreviewBody state={state} delivery={values} onStep={take}>
        {taken && isUntouched ? <TakenStep taken={taken} onUndo={() => undo(taken)} /> : null}
      </PreviewBody>
    </Card>
  );
}

/** The state in one sentence for screen readers, once it is known. */
function spoken(state: PreviewState): string {
  if (state.kind !== 'counted' || state.isOld) return '';
  const { matchCount, days } = state.preview;
  return `This alert would have brought ${countText(matchCount)} ${periodText(days)}.`;
}

interface PreviewBodyProps {
  state: PreviewState;
  delivery: AlertFormValues;
  onStep: (step: Step) => void;
  /** The step that was taken. */
  children: ReactNode;
}

function PreviewBody({ state, delivery, onStep, children }: PreviewBodyProps) {
  switch (state.kind) {
    case 'unfilled':
      return <Muted mt="1.5">{missingText(state.missing)}</Muted>;
    case 'refused':
      return (
        <>
          <Muted mt="1.5">{state.message}</Muted>
          {children}
        </>
      );
    case 'failed':
      return (
        <Flex direction="column" align="flex-start" gap="2.5" mt="1.5">
          <Muted>The matches could not be counted. {state.message}</Muted>
          <Button variant="outline" size="sm" onClick={state.retry}>
            Try Again
          </Button>
        </Flex>
      );
    case 'loading':
      return <PreviewSkeleton />;
    case 'counted':
      return (
        <Counted preview={state.preview} delivery={delivery} onStep={onStep}>
          {children}
        </Counted>
      );
  }
}

interface CountedProps extends Omit<PreviewBodyProps, 'state'> {
  preview: Preview;
}

function Counted({ preview, delivery, onStep, children }: CountedProps) {
  const { matchCount, days, place } = preview;
  const steps = stepsOf(preview.nearMisses);
  return (
    <Flex direction="column" gap="4" mt="2">
      <Box>
        <Flex align="baseline" gap="1.5" wrap="wrap" minH="30px">
          <chakra.strong fontFamily="heading" fontSize="xl" fontWeight="650" lineHeight="1.2" letterSpacing="-0.02em">
            {matchCount === 0 ? 'No match' : countText(matchCount)}
          </chakra.strong>
          <chakra.span fontSize="sm">{periodText(days)}</chakra.span>
        </Flex>
        <Muted mt="0.5" fontSize="xs">
          {matchCount === 0 ? 'The alert watches on, and tells you of the first one.' : messagesText(preview, delivery)}{' '}
          Counted from {place}, without cars that are sold by now.
        </Muted>
      </Box>
      {matchCount === 0 ? (
        <Box w="full" maxW="220px" alignSelf="center">
          <EmptyLot />
        </Box>
      ) : (
        <PreviewSamples preview={preview} />
      )}
      {children}
      {steps.length > 0 ? (
        <Box>
          <Heading as="h3" size="sm" fontSize="sm" mb="1.5">
            To get more
          </Heading>
          <Steps steps={steps} onStep={onStep} />
        </Box>
      ) : null}
    </Flex>
  );
}

function Steps({ steps, onStep }: { steps: readonly Step[]; onStep: (step: Step) => void }) {
  return (
    <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1.5" m="0" p="0">
      {steps.map((step) => (
        <li key={step.key}>
          <Button
            variant="outline"
            size="sm"
            w="full"
            justifyContent="flex-start"
            textAlign="left"
            fontWeight="500"
            py="1.5"
            onClick={() => onStep(step)}
          >
            <chakra.span color="brand" aria-hidden>
              <Plus size={15} />
            </chakra.span>
            {step.text}
          </Button>
        </li>
      ))}
    </chakra.ul>
  );
}

/** Takes the focus of the pressed button, which may be gone with the next answer. */
function TakenStep({ taken, onUndo }: { taken: Taken; onUndo: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (taken) button.current?.focus({ preventScroll: true });
  }, [taken]);
  return (
    <Flex
      align="center"
      justify="space-between"
      gap="3"
      px="3"
      py={{ base: '0', md: '2' }}
      bg="brandSoft"
      borderRadius="field"
      fontSize="sm"
    >
      <span>{taken.step.done}</span>
      <Button ref={button} variant="link" size="text" flexShrink={0} onClick={onUndo}>
        <Undo2 size={15} aria-hidden />
        Undo
      </Button>
    </Flex>
  );
}
