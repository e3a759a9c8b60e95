import { Box, chakra, Flex } from '@chakra-ui/react';
import { useNow } from '../../lib/state/now.ts';
import { dateText, dayText } from '../../lib/text/time.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Badge, Heading, Muted } from '../../ui/parts/Card.tsx';
import type { ApiKey } from './api-key-documents.ts';
import { endText, isLive, lastUsedText, scopesText, stateText } from './key-words.ts';

interface KeyRowProps {
  apiKey: ApiKey;
  onRotate: () => void;
  onRevoke: () => void;
}

const tones = { active: 'brand', replaced: 'outline', expired: 'quiet', revoked: 'quiet' } as const;

/** A key in the list: what it is called, how it begins, what it may, and what can be done with it. */
export function KeyRow({ apiKey, onRotate, onRevoke }: KeyRowProps) {
  const now = useNow(30_000);
  const live = isLive(apiKey);
  return (
    <chakra.li
      display="flex"
      flexDirection={{ base: 'column', md: 'row' }}
      alignItems={{ base: 'stretch', md: 'center' }}
      gap={{ base: '3', md: '4' }}
      py="4"
      borderTopWidth="1px"
      borderColor="line"
      _first={{ borderTopWidth: '0' }}
    >
      <Box flex="1" minW="0">
        <Flex gap="2.5" align="center" wrap="wrap">
          <Heading as="h3" size="sm" overflowWrap="anywhere" color={live ? 'ink' : 'muted'}>
            {apiKey.name}
          </Heading>
          <Badge tone={tones[apiKey.state]}>{stateText(apiKey, now)}</Badge>
        </Flex>
        <chakra.code display="block" mt="1" fontFamily="ui-monospace, monospace" fontSize="xs" color="muted">
          {apiKey.prefix}…
        </chakra.code>
        <Muted mt="1" display="flex" columnGap="3" flexWrap="wrap">
          <span>{scopesText(apiKey)}</span>
          <span title={dateText(apiKey.createdAt)}>Created {dayText(apiKey.createdAt, now)}</span>
          <span>{live ? lastUsedText(apiKey, now) : `Ended ${endText(apiKey, now)}`}</span>
        </Muted>
      </Box>
      {live ? (
        <Flex gap="2" flexShrink={0}>
          {apiKey.state === 'active' ? (
            <Button variant="outline" size="sm" aria-label={`Rotate ${apiKey.name}`} onClick={onRotate}>
              Rotate
            </Button>
          ) : null}
          <Button variant="outline" size="sm" color="bad" aria-label={`Revoke ${apiKey.name}`} onClick={onRevoke}>
            Revoke
          </Button>
        </Flex>
      ) : null}
    </chakra.li>
  );
}
