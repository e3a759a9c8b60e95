import { Flex } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { BusyButton } from '../Button.tsx';
import { Muted } from '../Card.tsx';

/**
 * Moves the focus from the button to the first entry that the list gets. It must work without the component, which is gone
 * once the last page is there. @returns what ends it
 */
function focusFirstAdded(button: HTMLElement): () => void {
  const list = button.closest('main') ?? document.body;
  const known = new Set(list.querySelectorAll('li'));
  const observer = new MutationObserver(() => {
    const added = [...list.querySelectorAll('li')].find((entry) => !known.has(entry));
    if (!added) return;
    observer.disconnect();
    const { activeElement } = document;
    if (activeElement !== button && activeElement !== document.body) return;
    added.tabIndex = -1;
    added.focus();
  });
  observer.observe(list, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Loads the next page of a list that has more. The list is in `main`, and its entries are `li`. */
export function LoadOlder({ what, load }: { what: string; load: () => Promise<unknown> }) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const button = useRef<HTMLButtonElement>(null);
  const run = () => {
    setState('loading');
    const giveUp = button.current ? focusFirstAdded(button.current) : () => undefined;
    load().then(
      () => setState('idle'),
      () => {
        giveUp();
        setState('failed');
      },
    );
  };
  return (
    <Flex direction="column" align="center" gap="2">
      {state === 'failed' ? <Muted role="alert">Older {what} could not be loaded.</Muted> : null}
      <BusyButton ref={button} variant="outline" isBusy={state === 'loading'} onClick={run}>
        {state === 'failed' ? 'Try Again' : `Load older ${what}`}
      </BusyButton>
    </Flex>
  );
}
