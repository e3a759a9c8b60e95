import { Flex } from '@chakra-ui/react';
import { LinkButton } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';

/** The way to keys and webhooks. */
export function ApiCard() {
  return (
    <Card as="section" aria-labelledby="api" pad="lg">
      <Flex
        gap="4"
        direction={{ base: 'column', md: 'row' }}
        align={{ base: 'flex-start', md: 'center' }}
        justify="space-between"
      >
        <div>
          <Heading id="api" size="md">
            API and webhooks
          </Heading>
          <Muted mt="1">Keys for your programs and events for your server, on the Elite plan.</Muted>
        </div>
        <LinkButton to="/settings/api" variant="outline" size="sm" flexShrink={0}>
          Open API Settings
        </LinkButton>
      </Flex>
    </Card>
  );
}
