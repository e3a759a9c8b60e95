import { Box, chakra, Flex } from '@chakra-ui/react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { EmptyLot, StalledCar } from './art.tsx';
import { Button } from './Button.tsx';
import { Card, Heading, Muted } from './Card.tsx';
import { VisuallyHidden } from './VisuallyHidden.tsx';

/** A grey block in the shape of the content that is loading; it appears after 150 ms. Give `h` and `w`. */
export function Skeleton(props: ComponentProps<typeof Box>) {
  return (
    <Box
      aria-hidden
      bg="sunk"
      _dark={{ bg: 'line' }}
      borderRadius="chip"
      animation="appear 1ms 150ms both, pulse 1.4s 150ms ease-in-out infinite"
      {...props}
    />
  );
}

/** Tells screen readers that content is loading, in place of the skeletons. */
export function LoadingNote({ children = 'Loading' }: { children?: string }) {
  return <VisuallyHidden role="status">{children}</VisuallyHidden>;
}

const Ring = chakra('span', {
  base: {
    display: 'inline-block',
    borderRadius: 'full',
    borderWidth: '2.5px',
    borderColor: 'line',
    borderTopColor: 'brand',
    animation: 'spin 800ms linear infinite',
  },
});

/** A turning ring with a name. `size` in px; `page` centres it in the height of a page. */
export function Spinner({
  label = 'Loading',
  size = 28,
  page = false,
}: {
  label?: string;
  size?: number;
  page?: boolean;
}) {
  const ring = (
    <span role="status" aria-label={label}>
      <Ring style={{ width: size, height: size }} />
    </span>
  );
  return page ? (
    <Flex minH="50vh" align="center" justify="center">
      {ring}
    </Flex>
  ) : (
    ring
  );
}

interface EmptyStateProps {
  title: string;
  /** One sentence. */
  children?: ReactNode;
  /** One action. */
  action?: ReactNode;
  /** A drawing; an empty lot unless given. */
  art?: ReactNode;
  /** 'h2' where it stands right below the page's title. */
  level?: 'h2' | 'h3';
}

/** Nothing here yet: a drawing, a sentence, an action. */
export function EmptyState({ title, children, action, art = <EmptyLot />, level = 'h3' }: EmptyStateProps) {
  return (
    <Card pad="lg" textAlign="center" display="flex" flexDirection="column" alignItems="center" gap="2">
      <Box w="full" maxW="240px" mb="2">
        {art}
      </Box>
      <Heading as={level} size="md">
        {title}
      </Heading>
      {children ? (
        <Muted maxW="42ch" textWrap="balance">
          {children}
        </Muted>
      ) : null}
      {action ? <Box mt="3">{action}</Box> : null}
    </Card>
  );
}

interface ErrorPanelProps {
  title: string;
  /** What to do. */
  children: ReactNode;
  /** Tries again; while its promise is open, the panel says so. */
  onRetry?: (() => unknown) | undefined;
  /** A way back. */
  back?: ReactNode;
  /** 'h1' where it is the whole page. */
  level?: 'h1' | 'h2';
}

/** An error with what to do and a way back; the rest of the page stays. */
export function ErrorPanel({ title, children, onRetry, back, level = 'h2' }: ErrorPanelProps) {
  const [isTrying, setTrying] = useState(false);
  const retry = async () => {
    if (isTrying) return;
    setTrying(true);
    // A second failure appears as the panel's text.
    await Promise.resolve(onRetry?.()).catch(() => undefined);
    setTrying(false);
  };
  return (
    <Card pad="lg" role="alert" textAlign="center" display="flex" flexDirection="column" alignItems="center" gap="2">
      <Box w="full" maxW="220px" mb="2">
        <StalledCar />
      </Box>
      <Heading as={level} size={level === 'h1' ? 'xl' : 'md'}>
        {title}
      </Heading>
      <Muted as="div" maxW="48ch" textWrap="balance">
        {isTrying ? 'Trying again...' : children}
      </Muted>
      <Flex mt="3" gap="3" wrap="wrap" justify="center">
        {onRetry ? (
          // Disabled, it would lose the focus.
          <Button aria-busy={isTrying} onClick={() => void retry()}>
            Try Again
          </Button>
        ) : null}
        {back}
      </Flex>
    </Card>
  );
}
