import { Flex } from '@chakra-ui/react';
import { Switch } from '../../../ui/form/Switch.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { usePauseMessages } from '../use-pause-messages.ts';

/** Pauses the messages of all alerts. */
export function PauseCard({ isPaused }: { isPaused: boolean }) {
  const { pause, isSaving } = usePauseMessages();
  return (
    <Card as="section" aria-labelledby="pause" pad="lg">
      <Flex justify="space-between" align="center" gap="4">
        <div>
          <Heading id="pause" size="md">
            Pause all messages
          </Heading>
          <Muted mt="1">
            Your alerts keep watching. When you resume, each sends one summary of what it found meanwhile.
          </Muted>
        </div>
        <Switch
          label="Pause all messages"
          checked={isPaused}
          aria-busy={isSaving}
          onChange={(paused) => (isSaving ? undefined : void pause(paused))}
        />
      </Flex>
    </Card>
  );
}
