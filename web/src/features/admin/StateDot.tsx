import { Box } from '@chakra-ui/react';
import type { SourceState } from '../../gql/graphql.ts';

const looks: Record<SourceState, { bg: string; borderColor: string }> = {
  waiting: { bg: 'transparent', borderColor: 'muted' },
  healthy: { bg: 'good', borderColor: 'good' },
  degraded: { bg: 'transparent', borderColor: 'bad' },
  failing: { bg: 'bad', borderColor: 'bad' },
  stopped: { bg: 'muted', borderColor: 'muted' },
};

/** A source's state as a dot; the words beside it say it too. */
export function StateDot({ state }: { state: SourceState }) {
  return <Box aria-hidden w="12px" h="12px" flexShrink={0} borderRadius="full" borderWidth="3px" {...looks[state]} />;
}
