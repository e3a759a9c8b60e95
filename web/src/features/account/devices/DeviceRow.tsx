import { Box, chakra, Flex } from '@chakra-ui/react';
import { Monitor, Smartphone } from 'lucide-react';
import { useNow } from '../../../lib/state/now.ts';
import { dateText } from '../../../lib/text/time.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Badge, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { IconTile } from '../../../ui/parts/IconTile.tsx';
import type { Device } from './device-documents.ts';
import { deviceName, isHandheld, lastUsedText, signedInText } from './device-words.ts';

/** A browser in which one is signed in. The own one is signed out with Logout, so it has no button. */
export function DeviceRow({ device, onSignOut }: { device: Device; onSignOut: () => void }) {
  const now = useNow(60_000);
  const Icon = isHandheld(device) ? Smartphone : Monitor;
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
      <Flex flex="1" minW="0" gap="4" align="flex-start">
        <IconTile>
          <Icon size={20} aria-hidden />
        </IconTile>
        <Box minW="0">
          <Flex columnGap="2.5" rowGap="1" align="center" wrap="wrap">
            <Heading as="h3" size="sm" overflowWrap="anywhere">
              {deviceName(device)}
            </Heading>
            {device.isCurrent ? <Badge tone="brand">This device</Badge> : null}
          </Flex>
          <Muted mt="1" display="flex" columnGap="3" flexWrap="wrap">
            <span>{lastUsedText(device, now)}</span>
            <span title={dateText(device.signedInAt)}>{signedInText(device, now)}</span>
          </Muted>
        </Box>
      </Flex>
      {device.isCurrent ? null : (
        <Flex flexShrink={0}>
          <Button variant="outline" size="sm" aria-label={`Sign out ${deviceName(device)}`} onClick={onSignOut}>
            Sign Out
          </Button>
        </Flex>
      )}
    </chakra.li>
  );
}
