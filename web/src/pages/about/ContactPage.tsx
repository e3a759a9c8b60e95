import { Box, Flex, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useViewer } from '../../features/account/viewer.ts';
import { ContactForm } from '../../features/contact/ContactForm.tsx';
import { ContactFormSkeleton } from '../../features/contact/ContactFormSkeleton.tsx';
import { ContactWays } from '../../features/contact/ContactWays.tsx';
import { TextLink } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

/** How to reach the people behind LotWatch. */
export function ContactPage() {
  const { viewer, loading } = useViewer();
  return (
    <Box maxW="1040px" mx="auto" px={{ base: '4', md: '6' }} py={{ base: '6', md: '12' }}>
      <PageTitle
        title="Contact Us"
        subtitle="A question, something broken, or an idea? Write to us; a person answers."
      />
      <Grid
        templateColumns={{ base: '1fr', lg: '1fr 344px' }}
        gap={{ base: '5', lg: '6' }}
        alignItems="start"
        mt={{ base: '5', md: '8' }}
      >
        <Card pad="lg">
          {loading ? (
            <ContactFormSkeleton />
          ) : (
            <ContactForm name={viewer?.username ?? ''} email={viewer?.email ?? ''} />
          )}
        </Card>
        <Flex direction="column" gap={{ base: '5', lg: '6' }}>
          <ContactWays />
          <Card as="section" aria-labelledby="quicker" pad="lg">
            <Heading id="quicker" size="sm">
              Often quicker
            </Heading>
            <Shortcut to="/data-rights" title="Your data">
              A copy of it, or its deletion.
            </Shortcut>
            <Shortcut to="/subscription" title="Plans">
              More alerts, and text messages.
            </Shortcut>
            <Shortcut to="/contact-us" title="Contact Sales">
              For dealers, and for more than 100 alerts.
            </Shortcut>
          </Card>
        </Flex>
      </Grid>
    </Box>
  );
}

function Shortcut({ to, title, children }: { to: string; title: string; children: ReactNode }) {
  return (
    <Box mt={{ base: '1', md: '3' }}>
      <TextLink to={to}>{title}</TextLink>
      <Muted>{children}</Muted>
    </Box>
  );
}
