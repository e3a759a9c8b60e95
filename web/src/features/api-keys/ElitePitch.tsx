import { Box } from '@chakra-ui/react';
import { KeyRound, ListChecks, Webhook } from 'lucide-react';
import { LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { Merits } from '../../ui/parts/sections/Merits.tsx';

const merits = [
  {
    Icon: KeyRound,
    title: 'API keys',
    text: 'The whole of LotWatch from your programs: REST, GraphQL and live matches.',
  },
  { Icon: Webhook, title: 'Webhooks', text: 'New matches and price drops posted to your server, signed and retried.' },
  { Icon: ListChecks, title: 'In bulk', text: 'A hundred alerts in one call, and matches as an export.' },
];

/** For those on other plans: what the API is, and the way to it. */
export function ElitePitch() {
  return (
    <Card as="section" aria-labelledby="elite" pad="lg">
      <Heading id="elite" size="md">
        The API is part of the Elite plan
      </Heading>
      <Muted mt="1" maxW="60ch">
        For dealers and tools that build on LotWatch. Keys and webhooks that you made before are kept, and work again
        after an upgrade.
      </Muted>
      <Box mt="6">
        <Merits merits={merits} />
      </Box>
      <LinkButton to="/subscription" mt="7">
        Upgrade
      </LinkButton>
    </Card>
  );
}
