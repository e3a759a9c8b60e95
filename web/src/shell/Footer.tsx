import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { Link } from 'react-router-dom';
import { drawnMoment } from '../lib/state/drawn.ts';
import { Heading, Muted } from '../ui/parts/Card.tsx';
import { Logo } from '../ui/parts/Logo.tsx';

const FootLink = chakra(Link, {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    minW: { base: '44px', md: '0' },
    minH: { base: '44px', md: '30px' },
    color: 'muted',
    fontSize: 'sm',
    _hover: { color: 'ink', textDecoration: 'underline' },
  },
});

const quickLinks = [
  { to: '/', label: 'Home' },
  { to: '/create-alert', label: 'Create Alert' },
  { to: '/my-alerts', label: 'My Alerts' },
];

const legalLinks = [
  { to: '/privacy', label: 'Privacy Policy' },
  { to: '/terms', label: 'Terms of Service' },
  { to: '/contact', label: 'Contact Us' },
];

/** About, quick links, legal links, and the copyright line. */
export function Footer() {
  return (
    <chakra.footer borderTopWidth="1px" borderColor="line" bg="bg" mt="auto">
      <Box maxW="calc(var(--chakra-sizes-content) + 3rem)" mx="auto" px={{ base: '4', md: '6' }} pt="10" pb="8">
        <Grid templateColumns={{ base: '1fr 1fr', md: '2fr 1fr 1fr' }} gap={{ base: '6', md: '10' }}>
          <Box gridColumn={{ base: '1 / -1', md: 'auto' }}>
            <Logo />
            <Muted mt="3" maxW="44ch">
              LotWatch reads new car listings as they appear, understands what the seller wrote, and notifies you in
              seconds when one matches.
            </Muted>
          </Box>
          <FootList title="Quick Links" links={quickLinks} />
          <FootList title="Legal" links={legalLinks} />
        </Grid>
        <Flex mt={{ base: '4', md: '8' }} wrap="wrap" align="center" justify="space-between" columnGap="6">
          <Muted fontSize="xs">© {(drawnMoment() ?? new Date()).getUTCFullYear()} LotWatch. All rights reserved.</Muted>
          <FootLink to="/status" fontSize="xs">
            Status
          </FootLink>
        </Flex>
      </Box>
    </chakra.footer>
  );
}

function FootList({ title, links }: { title: string; links: { to: string; label: string }[] }) {
  return (
    <chakra.nav aria-label={title}>
      <Heading as="h2" size="sm">
        {title}
      </Heading>
      <Flex direction="column" align="flex-start" mt="1.5">
        {links.map(({ to, label }) => (
          <FootLink key={to} to={to}>
            {label}
          </FootLink>
        ))}
      </Flex>
    </chakra.nav>
  );
}
