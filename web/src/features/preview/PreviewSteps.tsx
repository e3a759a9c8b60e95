import { Box, chakra } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { BusyButton } from '../../ui/parts/Button.tsx';
import { Heading } from '../../ui/parts/Card.tsx';
import type { Step } from './preview-words.ts';

interface PreviewStepsProps {
  steps: readonly Step[];
  /** Whether they are of values that have changed since: then they are shown and can't be taken. */
  areOld: boolean;
  onStep: (step: Step) => void;
}

/** The single changes that would bring more. */
export function PreviewSteps({ steps, areOld, onStep }: PreviewStepsProps) {
  if (steps.length === 0) return null;
  return (
    <Box>
      <Heading as="h3" size="sm" fontSize="sm" mb="1.5">
        To get more
      </Heading>
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1.5" m="0" p="0">
        {steps.map((step) => (
          <li key={step.key}>
            <BusyButton
              isBusy={areOld}
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
            </BusyButton>
          </li>
        ))}
      </chakra.ul>
    </Box>
  );
}
