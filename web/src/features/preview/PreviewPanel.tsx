import { Box, Flex } from '@chakra-ui/react';
import { useFormikContext } from 'formik';
import { Undo2 } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { announce } from '../../lib/state/announce.ts';
import { EmptyLot } from '../../ui/parts/art.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { Spinner } from '../../ui/parts/states.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import type { AlertFormValues } from '../alert-form/alert-form-values.ts';
import { PreviewCount } from './PreviewCount.tsx';
import { PreviewSamples } from './PreviewSamples.tsx';
import { PreviewSkeleton } from './PreviewSkeleton.tsx';
import { PreviewSteps } from './PreviewSteps.tsx';
import { countText, missingText, type Preview, periodText, type Step, stepsOf } from './preview-words.ts';
import type { FirstStep } from './step-to-edit.ts';
import { type PreviewState, usePreview } from './use-preview.ts';

/** A step that was taken, and what it replaced. */
interface Taken {
  step: FirstStep;
  before: Partial<AlertFormValues>;
}

const pick = (values: AlertFormValues, { changes }: FirstStep): Partial<AlertFormValues> =>
  Object.fromEntries(Object.keys(changes).map((name) => [name, values[name as keyof AlertFormValues]]));

interface PreviewPanelProps {
  /** A step that the form began with, and the values before it. */
  began?: { step: FirstStep; from: AlertFormValues } | undefined;
}

/** What the alert of the form around it would have brought, counted again while one fills the form. */
export function PreviewPanel({ began }: PreviewPanelProps) {
  const { values, setValues } = useFormikContext<AlertFormValues>();
  const state = usePreview(values);
  const titleId = useId();
  const [taken, setTaken] = useState<Taken | undefined>(
    began && { step: began.step, before: pick(began.from, began.step) },
  );
  const panel = useRef<HTMLElement>(null);
  const wasPressed = useRef(false);
  const begunWith = began?.step.done;
  useEffect(() => {
    if (begunWith) announce(begunWith);
  }, [begunWith]);

  const change = (changes: Partial<AlertFormValues>) => void setValues({ ...values, ...changes });
  function take(step: Step) {
    wasPressed.current = true;
    setTaken({ step, before: pick(values, step) });
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
      display="flex"
      flexDirection="column"
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
      <Flex direction="column" gap="4" flex="1">
        <PreviewBody state={state} delivery={values} />
        {/* It may have the focus while the answer changes, so it is no part of that. */}
        {taken && isUntouched ? <TakenStep taken={taken} wasPressed={wasPressed} onUndo={() => undo(taken)} /> : null}
        {state.kind === 'counted' ? (
          <PreviewSteps steps={stepsOf(state.preview.nearMisses)} areOld={state.isOld} onStep={take} />
        ) : null}
      </Flex>
    </Card>
  );
}

/** The state in one sentence for screen readers, once it is known. */
function spoken(state: PreviewState): string {
  if (state.kind !== 'counted' || state.isOld) return '';
  const { matchCount, days } = state.preview;
  return `This alert would have brought ${countText(matchCount)} ${periodText(days)}.`;
}

function PreviewBody({ state, delivery }: { state: PreviewState; delivery: AlertFormValues }) {
  switch (state.kind) {
    case 'unfilled':
      return <Muted mt="1.5">{missingText(state.missing)}</Muted>;
    case 'refused':
      return <Muted mt="1.5">{state.message}</Muted>;
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
      return <Counted preview={state.preview} delivery={delivery} />;
  }
}

function Counted({ preview, delivery }: { preview: Preview; delivery: AlertFormValues }) {
  return (
    <Flex direction="column" gap="4" mt="2" flex={preview.matchCount === 0 ? '1' : undefined}>
      <PreviewCount preview={preview} delivery={delivery} />
      {preview.matchCount === 0 ? (
        <Box w="full" maxW="220px" m="auto">
          <EmptyLot />
        </Box>
      ) : (
        <PreviewSamples preview={preview} />
      )}
    </Flex>
  );
}

interface TakenStepProps {
  taken: Taken;
  /** Whether it was pressed just now: then the focus of that button, which may be gone with the next answer, comes here. */
  wasPressed: RefObject<boolean>;
  onUndo: () => void;
}

function TakenStep({ taken, wasPressed, onUndo }: TakenStepProps) {
  const button = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press brings another step.
  useEffect(() => {
    if (wasPressed.current) button.current?.focus({ preventScroll: true });
    wasPressed.current = false;
  }, [taken, wasPressed]);
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
