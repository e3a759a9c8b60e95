import { Flex } from '@chakra-ui/react';
import { useNavigate } from 'react-router-dom';
import type { AlertFacts_AlertFragment } from '../../gql/graphql.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Muted } from '../../ui/parts/Card.tsx';
import { LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { fromAlert } from '../alert-form/alert-form-values.ts';
import { PreviewCount } from './PreviewCount.tsx';
import { PreviewSteps } from './PreviewSteps.tsx';
import { type Preview, type Step, stepsOf } from './preview-words.ts';
import { toEditState } from './step-to-edit.ts';
import { usePreview } from './use-preview.ts';

/** What would change an alert that is saved: each step leads to its form, where it is taken and not saved yet. */
export function AlertPreview({ alert }: { alert: AlertFacts_AlertFragment }) {
  const values = fromAlert(alert);
  const state = usePreview(values);
  const navigate = useNavigate();
  const edit = (step: Step) => void navigate(`/edit-alert/${alert.id}`, { state: toEditState(step) });
  switch (state.kind) {
    case 'counted':
      return (
        <Flex direction="column" gap="3.5">
          <PreviewCount preview={state.preview} delivery={values} isSaved />
          <Changes preview={state.preview} areOld={state.isOld} onStep={edit} />
        </Flex>
      );
    case 'failed':
      return (
        <Flex direction="column" align="flex-start" gap="2.5">
          <Muted>The matches could not be counted. {state.message}</Muted>
          <Button variant="outline" size="sm" onClick={state.retry}>
            Try Again
          </Button>
        </Flex>
      );
    case 'refused':
      return <Muted>{state.message}</Muted>;
    default:
      return (
        <>
          <LoadingNote>Counting matches</LoadingNote>
          <Skeleton h="190px" w="full" borderRadius="field" />
        </>
      );
  }
}

interface ChangesProps {
  preview: Preview;
  areOld: boolean;
  onStep: (step: Step) => void;
}

function Changes({ preview, ...rest }: ChangesProps) {
  const steps = stepsOf(preview.nearMisses);
  if (steps.length === 0) return <Muted>No single change would bring more.</Muted>;
  return <PreviewSteps steps={steps} {...rest} />;
}
