import { Flex } from '@chakra-ui/react';
import { LinkButton } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import type { Viewer } from '../viewer.ts';

/** The way to the second factor. */
export function TwoStepCard({ viewer }: { viewer: Viewer }) {
  const isOn = Boolean(viewer.secondFactor);
  return (
    <Card as="section" aria-labelledby="two-step" pad="lg">
      <Flex
        gap="4"
        direction={{ base: 'column', md: 'row' }}
        align={{ base: 'flex-start', md: 'center' }}
        justify="space-between"
      >
        <div>
          <Heading id="two-step" size="md">
            Two-step sign-in
          </Heading>
          <Muted mt="1">
            {isOn
              ? 'On: each sign-in asks for a code from your authenticator app.'
              : 'Off: your password alone signs you in. It can ask for a code from your phone as well.'}
          </Muted>
        </div>
        <LinkButton to="/settings/two-step" variant="outline" size="sm" flexShrink={0}>
          {isOn ? 'Manage Two-Step' : 'Set Up Two-Step'}
        </LinkButton>
      </Flex>
    </Card>
  );
}
