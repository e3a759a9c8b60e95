import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { Car } from '../../ui/parts/art.tsx';
import { Badge, Card, Chip, Heading, Muted } from '../../ui/parts/Card.tsx';
import { Band } from './Band.tsx';

const moments = [
  { at: '10:02:11', title: 'The seller lists it', text: '“18 camry SE silver 62k mi”, one photo, Pasadena.' },
  {
    at: '10:02:13',
    title: 'LotWatch has read it',
    text: 'It recognizes year, make, model, mileage, price and place.',
  },
  { at: '10:02:15', title: 'Your mail is on its way', text: 'Photo, price and distance; an open page shows it live.' },
  { at: '10:05', title: 'You call first', text: 'The others see it tonight, after it is sold.' },
] as const;

/** Why seconds matter, beside a match that is marked as an example. */
export function MatchExample() {
  return (
    <Band labelledBy="seconds">
      <Grid templateColumns={{ base: '1fr', lg: '1fr 1fr' }} gap={{ base: '10', lg: '16' }} alignItems="center">
        <Box>
          <Heading id="seconds" size="2xl">
            Seconds decide who calls first.
          </Heading>
          <chakra.p mt="3" color="muted" fontSize="lg" maxW="32em" textWrap="pretty">
            A fairly priced car is sold before the daily digests go out. With an alert, you are the first to call.
          </chakra.p>
          <chakra.ol listStyleType="none" p="0" mt="8" display="flex" flexDirection="column">
            {moments.map(({ at, title, text }, index) => (
              <Moment key={at} at={at} title={title} isLast={index === moments.length - 1}>
                {text}
              </Moment>
            ))}
          </chakra.ol>
        </Box>
        <ExampleCard />
      </Grid>
    </Band>
  );
}

function Moment({ at, title, isLast, children }: { at: string; title: string; isLast: boolean; children: string }) {
  return (
    <chakra.li display="grid" gridTemplateColumns="74px 20px 1fr" gap="3">
      <chakra.span fontSize="sm" fontWeight="600" color="muted" pt="0.5" textAlign="right">
        {at}
      </chakra.span>
      <Flex direction="column" align="center" aria-hidden>
        <Box
          w="12px"
          h="12px"
          mt="1.5"
          borderRadius="full"
          borderWidth="2px"
          borderColor={isLast ? 'beam' : 'brand'}
          bg={isLast ? 'beam' : 'bg'}
        />
        {isLast ? null : <Box flex="1" w="2px" bg="line" />}
      </Flex>
      <Box pb={isLast ? '0' : '5'}>
        <Heading as="h3" size="sm">
          {title}
        </Heading>
        <Muted>{children}</Muted>
      </Box>
    </chakra.li>
  );
}

function ExampleCard() {
  return (
    <chakra.figure m="0">
      <Card pad="none" edge="beam" overflow="hidden" maxW="520px" mx="auto">
        <Box position="relative" lineHeight="0">
          <ExamplePhoto />
          <Flex position="absolute" left="3" bottom="3" gap="2">
            <Badge bg="rgb(12 20 19 / 78%)" color="#fff">
              1 / 6
            </Badge>
          </Flex>
        </Box>
        <Box p={{ base: '4', md: '6' }}>
          <Flex justify="space-between" align="flex-start" gap="4">
            <Box>
              <Badge tone="beam">New · 2 s</Badge>
              <Heading as="p" size="lg" mt="1.5">
                2018 Toyota Camry SE
              </Heading>
            </Box>
            <Heading as="p" size="xl" flexShrink={0}>
              $15,400
            </Heading>
          </Flex>
          <Muted mt="1.5">62K mi · Automatic · Silver</Muted>
          <chakra.p fontSize="sm" mt="1">
            Pasadena, CA <chakra.span color="muted">· 9 mi away</chakra.span>
          </chakra.p>
          <Flex gap="2" wrap="wrap" mt="3">
            {['Toyota Camry', '2015–2020', 'under $18,000', 'within 50 mi'].map((criterion) => (
              <Chip key={criterion}>{criterion}</Chip>
            ))}
          </Flex>
          <Muted fontSize="2xs" mt="4" pt="3" borderTopWidth="1px" borderColor="line">
            Listed 10:02:11 · seen +1.8 s · sent +2.1 s
          </Muted>
        </Box>
      </Card>
      <chakra.figcaption textAlign="center" mt="3" fontSize="xs" color="muted">
        Example: a match as it arrives. The car is drawn, not for sale.
      </chakra.figcaption>
    </chakra.figure>
  );
}

function ExamplePhoto() {
  return (
    <svg viewBox="0 0 520 264" width="100%" role="img" aria-label="Drawing of a silver sedan">
      <defs>
        <linearGradient id="example-sky" x1="0" y1="0" x2="0.3" y2="1">
          <stop offset="0" stopColor="#b9ced1" />
          <stop offset="0.6" stopColor="#e9e2d2" />
          <stop offset="1" stopColor="#c3b8a6" />
        </linearGradient>
      </defs>
      <rect width="520" height="264" fill="url(#example-sky)" />
      <path d="M0 150c70-34 120-22 170-40s110-30 170-6 120 8 180 32v60H0z" fill="#9fb3ac" opacity="0.45" />
      <path d="M0 214h520v50H0z" fill="#8f8a80" opacity="0.35" />
      <g stroke="#f7f6f2" strokeWidth="4" opacity="0.7">
        <path d="M60 264l26-50M230 264l10-50M420 264l-14-50" />
      </g>
      <g transform="translate(112 102) scale(1.4)">
        <Car color="silver" />
      </g>
    </svg>
  );
}
