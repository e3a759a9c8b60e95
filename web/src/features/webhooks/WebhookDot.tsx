import { Box } from '@chakra-ui/react';
import type { Look } from './webhook-words.ts';

const looks: Record<Look, { bg: string; borderColor: string }> = {
  waiting: { bg: 'transparent', borderColor: 'good' },
  well: { bg: 'good', borderColor: 'good' },
  failing: { bg: 'bad', borderColor: 'bad' },
  paused: { bg: 'transparent', borderColor: 'muted' },
};

/** How a webhook is, as a dot; the words beside it say it too. */
export function WebhookDot({ look }: { look: Look }) {
  return <Box aria-hidden w="11px" h="11px" flexShrink={0} borderRadius="full" borderWidth="3px" {...looks[look]} />;
}
