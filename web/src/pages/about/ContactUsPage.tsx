import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { BellRing, Code, MessageSquareText, Zap } from 'lucide-react';
import { useViewer } from '../../features/account/viewer.ts';
import { ContactForm } from '../../features/contact/ContactForm.tsx';
import { ContactFormSkeleton } from '../../features/contact/ContactFormSkeleton.tsx';
import { LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { IconTile } from '../../ui/parts/IconTile.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

const benefits = [
  {
    Icon: BellRing,
    title: '100 alerts at once',
    text: 'One for each make, model and price that your lot needs, in every town that you buy in.',
  },
  {
    Icon: Zap,
    title: 'Notified within seconds',
    text: 'New listings are read as they appear, so you can call the seller first.',
  },
  {
    Icon: MessageSquareText,
    title: 'Email and SMS',
    text: 'Matches reach your buyers on the road as well as at the desk.',
  },
  {
    Icon: Code,
    title: 'API access',
    text: 'Bring matches into your own inventory tools with the API that our pages use themselves.',
  },
] as const;

/** For dealers: what Elite offers, and a form to the same address as /contact. */
export function ContactUsPage() {
  const { viewer, loading } = useViewer();
  return (
    <Box maxW="1120px" mx="auto" px={{ base: '4', md: '6' }} py={{ base: '6', md: '12' }}>
      <Grid templateColumns={{ base: '1fr', lg: '1fr 480px' }} gap={{ base: '6', lg: '14' }} alignItems="start">
        <Box>
          <PageTitle
            title="Contact Sales"
            subtitle="Do you buy cars for a living? Tell us how many, and we will find the right plan."
          />
          <chakra.ul listStyleType="none" m="0" p="0" mt={{ base: '6', md: '8' }} display="grid" gap="5">
            {benefits.map(({ Icon, title, text }) => (
              <Flex as="li" key={title} gap="4">
                <IconTile>
                  <Icon size={20} aria-hidden />
                </IconTile>
                <Box>
                  <Heading as="h2" size="sm">
                    {title}
                  </Heading>
                  <Muted mt="0.5" maxW="46ch">
                    {text}
                  </Muted>
                </Box>
              </Flex>
            ))}
          </chakra.ul>
          <Card mt={{ base: '6', md: '8' }} display="flex" flexWrap="wrap" gap="4" alignItems="center">
            <Box flex="1" minW="200px">
              <Heading as="h2" size="md">
                Elite, $69.99 per month
              </Heading>
              <Muted mt="0.5">For dealers. More than 100 alerts, or several people? Write to us.</Muted>
            </Box>
            <LinkButton to="/subscription" variant="outline">
              Compare plans
            </LinkButton>
          </Card>
        </Box>
        <Card as="section" aria-label="Write to sales" pad="lg">
          {loading ? (
            <ContactFormSkeleton />
          ) : (
            <ContactForm
              name={viewer?.username ?? ''}
              email={viewer?.email ?? ''}
              subject="Elite plan for dealers"
              messageHint="Good to know: how many alerts you need, where you buy, and who should get the matches."
            />
          )}
        </Card>
      </Grid>
    </Box>
  );
}
