import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { FirstAlertForm } from '../../features/alert-form/FirstAlertForm.tsx';
import { CarPlaceholder } from '../../ui/parts/art.tsx';
import { LinkButton, TextLink } from '../../ui/parts/Button.tsx';
import { Badge, Card, Chip, Heading, Muted } from '../../ui/parts/Card.tsx';
import { SectionHead } from './SectionHead.tsx';

/** The dashboard before the first alert: the beginning of one, beside an example of what it brings. Nothing is checked yet, and nothing says so. */
export function NoAlertsYet() {
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) 340px' }} gap="7" mt="5">
      <chakra.section aria-labelledby="my-alerts" display="flex" flexDirection="column">
        <SectionHead id="my-alerts" title="My Alerts" count={0}>
          <LinkButton to="/create-alert" variant="outline">
            Create Alert
          </LinkButton>
        </SectionHead>
        <FirstAlertForm />
      </chakra.section>
      <section aria-labelledby="recent-listings">
        <SectionHead id="recent-listings" title="Recent Matching Listings">
          <TextLink to="/saved">Saved cars</TextLink>
        </SectionHead>
        <ExampleMatch />
        <Box textAlign="center" mt="-10" position="relative">
          <Heading as="h3" size="md">
            No Matches Yet
          </Heading>
          <Muted mt="1" textWrap="balance">
            No matching listings found yet. Create an alert, and we will notify you.
          </Muted>
        </Box>
      </section>
    </Grid>
  );
}

/** A match as it will look, fading downwards. It is drawn, so it is kept from screen readers. */
function ExampleMatch() {
  return (
    <Box
      aria-hidden
      css={{ maskImage: 'linear-gradient(rgb(0 0 0 / 70%) 35%, transparent 92%)' }}
      userSelect="none"
      pointerEvents="none"
    >
      <Card pad="none" p="3.5" boxShadow="none">
        <Box position="relative" aspectRatio="16 / 10" borderRadius="photo" overflow="hidden">
          <CarPlaceholder color="silver" />
          <Badge position="absolute" left="2" top="2" tone="quiet">
            Example
          </Badge>
        </Box>
        <Flex justify="space-between" align="flex-start" gap="3" mt="3">
          <Heading as="p" size="md">
            2018 Toyota Camry SE
          </Heading>
          <Heading as="p" size="lg" flexShrink={0}>
            $15,400
          </Heading>
        </Flex>
        <Muted mt="1">62K mi · Automatic · Silver</Muted>
        <chakra.p fontSize="sm" mt="1">
          Pasadena, CA <chakra.span color="muted">· 9 mi away</chakra.span>
        </chakra.p>
        <Flex gap="2" wrap="wrap" mt="3" pb="8">
          {['Toyota Camry', 'under $18,000', 'within 50 mi'].map((criterion) => (
            <Chip key={criterion}>{criterion}</Chip>
          ))}
        </Flex>
      </Card>
    </Box>
  );
}
