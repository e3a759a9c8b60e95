import { chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './Button.tsx';
import { Heading } from './Card.tsx';

const Frame = chakra('dialog', {
  base: {
    m: 'auto',
    w: 'calc(100% - 2rem)',
    maxW: '440px',
    p: { base: '5', md: '6' },
    bg: 'panel',
    color: 'ink',
    borderWidth: '1px',
    borderColor: 'line',
    borderRadius: 'card',
    boxShadow: 'pop',
    '&[open]': { animation: 'fadeIn 150ms' },
    '&::backdrop': { bg: 'shade' },
  },
});

interface DialogProps {
  open: boolean;
  /** Called for the first button, Escape and a click outside. */
  onClose: () => void;
  title: string;
  /** The sentence below the title. */
  children: ReactNode;
  /** The first button, which only closes. */
  cancel?: string;
  /** The button beside it. */
  action?: ReactNode;
  role?: 'dialog' | 'alertdialog';
}

/** A modal dialog on the platform's own `<dialog>`: focus stays inside, Escape closes, focus returns to the opener. */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({
  onClose,
  title,
  children,
  cancel = 'Cancel',
  action,
  role = 'dialog',
}: Omit<DialogProps, 'open'>) {
  const frame = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const textId = useId();

  // A layout effect ends before the element leaves the page: only close() gives the focus back.
  useLayoutEffect(() => {
    const element = frame.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    <Frame
      ref={frame}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={textId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === frame.current) onClose();
      }}
    >
      <Heading id={titleId} size="md">
        {title}
      </Heading>
      <chakra.div id={textId} mt="2" color="muted">
        {children}
      </chakra.div>
      <Flex mt="6" gap="3" justify="flex-end" direction={{ base: 'column-reverse', sm: 'row' }}>
        <Button variant="outline" onClick={onClose}>
          {cancel}
        </Button>
        {action}
      </Flex>
    </Frame>
  );
}
