import { Box, chakra, Flex } from '@chakra-ui/react';
import { Muted } from '../../ui/parts/Card.tsx';
import type { AlertFormValues } from '../alert-form/alert-form-values.ts';
import { countText, listedText, messagesText, type Preview, periodText } from './preview-words.ts';

interface PreviewCountProps {
  preview: Preview;
  delivery: AlertFormValues;
  /** Whether it is about an alert as it is saved. */
  isSaved?: boolean;
}

/** How many matches there were, and what that means for a week. */
export function PreviewCount({ preview, delivery, isSaved = false }: PreviewCountProps) {
  const { matchCount, days, place } = preview;
  return (
    <Box>
      <Flex align="baseline" gap="1.5" wrap="wrap" minH="30px">
        <chakra.strong fontFamily="heading" fontSize="xl" fontWeight="650" lineHeight="1.2" letterSpacing="-0.02em">
          {matchCount === 0 ? 'No match' : countText(matchCount)}
        </chakra.strong>
        <chakra.span fontSize="sm">{periodText(days)}</chakra.span>
      </Flex>
      <Muted mt="0.5" fontSize="xs">
        {matchCount === 0 ? 'The alert watches on, and tells you of the first one.' : messagesText(preview, delivery)}{' '}
        Counted from {place}, without cars that are sold by now. {listedText(preview, isSaved)}
      </Muted>
    </Box>
  );
}
