import { Flex } from '@chakra-ui/react';
import { LinkButton } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';

/** The way to the list of devices. */
export function DevicesCard() {
  return (
    <Card as="section" aria-labelledby="signed-in" pad="lg">
      <Flex
        gap="4"
        direction={{ base: 'column', md: 'row' }}
        align={{ base: 'flex-start', md: 'center' }}
        justify="space-between"
      >
        <div>
          <Heading id="signed-in" size="md">
            Devices
          </Heading>
          <Muted mt="1">See where you are signed in, and sign out where you no longer want to be.</Muted>
        </div>
        <LinkButton to="/settings/devices" variant="outline" size="sm" flexShrink={0}>
          See Your Devices
        </LinkButton>
      </Flex>
    </Card>
  );
}
