import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { Button } from '../Button.tsx';
import { Muted } from '../Card.tsx';

/** Loads the next page of a list that has more. */
export function LoadOlder({ what, load }: { what: string; load: () => Promise<unknown> }) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const run = () => {
    setState('loading');
    load().then(
      () => setState('idle'),
      () => setState('failed'),
    );
  };
  return (
    <Flex direction="column" align="center" gap="2">
      {state === 'failed' ? <Muted role="alert">Older {what} could not be loaded.</Muted> : null}
      <Button variant="outline" disabled={state === 'loading'} onClick={run}>
        {state === 'failed' ? 'Try Again' : `Load older ${what}`}
      </Button>
    </Flex>
  );
}
