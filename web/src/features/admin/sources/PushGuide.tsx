import { Box, chakra } from '@chakra-ui/react';
import { BackLink, TextLink } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';

const Code = chakra('pre', {
  base: {
    mt: '3',
    p: '3.5',
    bg: 'sunk',
    borderRadius: 'field',
    fontFamily: 'mono',
    fontSize: 'xs',
    lineHeight: '1.6',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
});

const example = (origin: string) => `curl ${origin}/api/ingest/my-program \\
  -H "Authorization: Bearer $INGEST_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '[{"id": "car-1", "title": "2016 Honda Civic LX", "price": 9800,
       "mileage": 84000, "location": "Austin, TX"}]'`;

/** How a program pushes listings. There is nothing to set up but the token. */
export function PushGuide({ isOn, back }: { isOn: boolean; back: { href: string; text: string } }) {
  return (
    <Box maxW="form">
      <BackLink to={back.href}>{back.text}</BackLink>
      <Card as="section" pad="lg" mt="2" aria-labelledby="push-guide">
        <Heading id="push-guide" as="h3" size="md">
          My own program
        </Heading>
        {isOn ? (
          <Muted mt="1">
            Send this call. The source “my-program” appears in the list at its first push; choose any name.
          </Muted>
        ) : (
          <chakra.p mt="3" p="3" borderRadius="field" bg="badSoft" color="bad" fontSize="sm">
            Pushing is switched off. Set INGEST_TOKEN in the environment of LotWatch to a long random text, restart it,
            and send this call with that token.
          </chakra.p>
        )}
        <Code aria-label="Example of a push">{example(window.location.origin)}</Code>
        <Muted mt="3">
          A push has up to 1,000 listings as a JSON array, or one a line. The answer has a result for each, and what
          can’t be read goes to <TextLink to="/admin?tab=quarantine">the quarantine</TextLink> with the reason.
        </Muted>
      </Card>
    </Box>
  );
}
