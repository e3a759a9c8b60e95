import { Box, chakra, Grid } from '@chakra-ui/react';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { TextLink } from '../Button.tsx';
import { Heading } from '../Card.tsx';
import { PageTitle } from '../PageTitle.tsx';

/** A link inside running text; its line is its target. */
export const ProseLink = chakra(Link, {
  base: {
    color: 'brand',
    fontWeight: '600',
    textDecoration: 'underline',
    textUnderlineOffset: '3px',
    borderRadius: '4px',
  },
});

const Body = chakra('div', {
  base: {
    mt: '2',
    lineHeight: '1.7',
    overflowWrap: 'anywhere',
    '& p + p, & p + ul, & ul + p': { mt: '3' },
    '& ul': { pl: '5', listStyleType: 'disc', display: 'grid', gap: '1.5' },
    '& li::marker': { color: 'muted' },
  },
});

const TocLink = chakra(Link, {
  base: {
    display: 'block',
    py: '1',
    pl: '3.5',
    fontSize: 'sm',
    color: 'muted',
    borderLeftWidth: '2px',
    borderColor: 'line',
    transition: 'color 150ms, border-color 150ms',
    _hover: { color: 'ink', borderColor: 'muted' },
    '&[aria-current=true]': { color: 'brand', borderColor: 'brand', fontWeight: '600' },
  },
});

export interface ProseSection {
  /** The anchor. */
  id: string;
  title: string;
  children: ReactNode;
}

interface ProseProps {
  title: string;
  /** What the page says in a sentence or two. */
  lead: ReactNode;
  /** Like 'Nov 21, 2026'. */
  updated: string;
  sections: readonly ProseSection[];
}

/** A page to read: a way home, a table of contents beside the text where there is room, and lines of a readable length. */
export function Prose({ title, lead, updated, sections }: ProseProps) {
  const { hash, key } = useLocation();
  const chosen = decodeURIComponent(hash.slice(1));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same anchor may be chosen again.
  useEffect(() => document.getElementById(chosen)?.focus({ preventScroll: true }), [chosen, key]);
  return (
    <Box maxW="1040px" mx="auto" px={{ base: '4', md: '6' }} py={{ base: '5', md: '10' }}>
      <TextLink to="/" display="inline-flex" alignItems="center" gap="1.5" minH="44px">
        <ArrowLeft size={16} aria-hidden />
        Back to home
      </TextLink>
      <Grid templateColumns={{ base: '1fr', lg: '220px minmax(0, 68ch)' }} gap={{ base: '6', lg: '14' }} mt="2">
        <Box gridColumn={{ lg: '2' }} maxW="68ch">
          <PageTitle title={title} subtitle={lead} />
          <chakra.p mt="3" fontSize="xs" color="muted">
            Last updated {updated}
          </chakra.p>
        </Box>
        <chakra.nav
          aria-label="On this page"
          display={{ base: 'none', lg: 'block' }}
          gridColumn="1"
          gridRow="1 / span 2"
          position="sticky"
          top="24"
          alignSelf="start"
        >
          <chakra.p fontSize="xs" fontWeight="600" color="muted" mb="2" pl="3.5">
            On this page
          </chakra.p>
          <ul>
            {sections.map(({ id, title: name }) => (
              <li key={id}>
                <TocLink to={{ hash: id }} aria-current={id === chosen ? 'true' : undefined}>
                  {name}
                </TocLink>
              </li>
            ))}
          </ul>
        </chakra.nav>
        <Box gridColumn={{ lg: '2' }} maxW="68ch" display="grid" gap={{ base: '7', md: '9' }}>
          {sections.map((section) => (
            <chakra.section key={section.id} aria-labelledby={section.id} minW="0">
              <Heading id={section.id} tabIndex={-1} size="lg" scrollMarginTop="4" borderRadius="4px">
                {section.title}
              </Heading>
              <Body>{section.children}</Body>
            </chakra.section>
          ))}
        </Box>
      </Grid>
    </Box>
  );
}
