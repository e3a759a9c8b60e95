import { Box } from '@chakra-ui/react';
import { LinkButton } from '../ui/parts/Button.tsx';
import { ErrorPanel } from '../ui/parts/states.tsx';

/** Shown in place of a page that broke; header and navigation stay alive. */
export function PageFailed() {
  return (
    <Box maxW="form" mx="auto" px="4" py="10">
      <ErrorPanel
        title="This page stopped working"
        onRetry={() => location.reload()}
        back={
          <LinkButton to="/" variant="outline" reloadDocument>
            Home
          </LinkButton>
        }
      >
        Load it again. If it stops a second time, go home and come back from there.
      </ErrorPanel>
    </Box>
  );
}
