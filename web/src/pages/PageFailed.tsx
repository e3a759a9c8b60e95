import { Box } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { isChunkError, isReachable, mayReload, whenReachable } from '../lib/server/client/chunk-errors.ts';
import { LinkButton } from '../ui/parts/Button.tsx';
import { useDocumentTitle } from '../ui/parts/PageTitle.tsx';
import { ErrorPanel, Spinner } from '../ui/parts/states.tsx';

/** Replaces a page that threw an error; header and navigation keep working. */
export function PageFailed({ error }: { error: unknown }) {
  useDocumentTitle('This page stopped working');
  return (
    <Box maxW="form" mx="auto" px="4" py="10">
      {isChunkError(error) ? <ChunkFailed /> : <PageBroken />}
    </Box>
  );
}

const home = (
  <LinkButton to="/" variant="outline" reloadDocument>
    Home
  </LinkButton>
);

function PageBroken() {
  return (
    <ErrorPanel level="h1" title="This page stopped working" onRetry={() => location.reload()} back={home}>
      Reload it. If this happens again, start from the home page.
    </ErrorPanel>
  );
}

/**
 * Replaces a page whose code could not be loaded. After a deploy it reloads once, which loads the new code. While the
 * server is unreachable a reload would lose the page, so it waits and then recovers.
 */
function ChunkFailed() {
  const [state, setState] = useState<'looking' | 'unreachable' | 'failed'>('looking');
  useEffect(() => {
    let isUnmounted = false;
    void isReachable().then((isThere) => {
      if (isUnmounted) return;
      if (!isThere) setState('unreachable');
      else if (mayReload()) location.reload();
      else setState('failed');
    });
    return () => {
      isUnmounted = true;
    };
  }, []);
  useEffect(() => (state === 'unreachable' ? whenReachable(() => location.reload()) : undefined), [state]);
  if (state === 'looking') return <Spinner page />;
  if (state === 'failed') return <PageBroken />;
  return (
    <ErrorPanel level="h1" title="This page could not be loaded" back={<LinkButton to="/">Home</LinkButton>}>
      We can&#39;t reach LotWatch. Check your connection. The page loads by itself as soon as LotWatch answers.
    </ErrorPanel>
  );
}
