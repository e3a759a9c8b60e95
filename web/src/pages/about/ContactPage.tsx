import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { Clock, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { useViewer } from '../../features/account/viewer.ts';
import { ContactForm } from '../../features/contact/ContactForm.tsx';
import { ContactFormSkeleton } from '../../features/contact/ContactFormSkeleton.tsx';
import { useSite } from '../../lib/server/site.ts';
import { TextLink } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { Skeleton } from '../../ui/parts/states.tsx';

/** The support address, the hours, and a form for messages. */
export function ContactPage() {
  const { viewer, loading } = useViewer();
  return (
    <Box maxW="1040px" mx="auto" px={{ base: '4', md: '6' }} py={{ base: '6', md: '12' }}>
      <PageTitle
        title="Contact Us"
        subtitle="Do you have a question, a problem or an idea? Write to us, and a person will answer."
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
          <ContactDetails />
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

/** The support address and the hours, as a card beside the form. */
function ContactDetails() {
  const email = useSite()?.supportEmail;
  return (
    <Card as="section" aria-labelledby="contact-ways" pad="lg">
      <Heading id="contact-ways" size="sm">
        Other ways to reach us
      </Heading>
      <Flex direction="column" gap="5" mt="4">
        <ContactDetail icon={<Mail size={18} aria-hidden />} title="Support email">
          {email ? (
            <chakra.a
              href={`mailto:${email}`}
              display="inline-flex"
              alignItems="center"
              minH={{ base: '44px', md: '0' }}
              color="brand"
              fontWeight="600"
              overflowWrap="anywhere"
              borderRadius="4px"
              _hover={{ textDecoration: 'underline' }}
            >
              {email}
            </chakra.a>
          ) : (
            <Skeleton h="5" w="48" my={{ base: '3', md: '0.5' }} maxW="full" />
          )}
        </ContactDetail>
        <ContactDetail icon={<Clock size={18} aria-hidden />} title="Business hours">
          Monday-Friday 9am-5pm EST
        </ContactDetail>
      </Flex>
    </Card>
  );
}

function ContactDetail({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Flex gap="3">
      <Flex flexShrink={0} w="9" h="9" align="center" justify="center" borderRadius="chip" bg="brandSoft" color="brand">
        {icon}
      </Flex>
      <Box minW="0">
        <Box fontSize="xs" color="muted">
          {title}
        </Box>
        <Box fontWeight="500">{children}</Box>
      </Box>
    </Flex>
  );
}
