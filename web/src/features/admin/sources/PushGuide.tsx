import { Box, chakra, Flex } from '@chakra-ui/react';
import { Check, Copy, Download } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import pushMjs from '../../../../../api/docs/examples/push/push.mjs?url';
import pushPy from '../../../../../api/docs/examples/push/push.py?url';
import pushSh from '../../../../../api/docs/examples/push/push.sh?url';
import { toast } from '../../../lib/state/toasts.ts';
import { AnchorButton, BackLink, Button, TextLink } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';

const Block = chakra('pre', {
  base: {
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
const Line = chakra('code', { base: { fontFamily: 'mono', fontSize: 'xs', overflowWrap: 'anywhere' } });

const example = (origin: string) => `curl -X POST ${origin}/api/ingest/my-cars \\
  -H "Authorization: Bearer $INGEST_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '[{"id": "1", "title": "2018 Honda Civic EX", "price": 12900,
       "mileage": 61000, "location": "Austin, TX"}]'`;

/** Each sends a file to the source of a name. They are the files that `api/docs/sources/push.md` explains. */
const programs = [
  { file: 'push.mjs', href: pushMjs, needs: 'Node 20', start: 'node push.mjs' },
  { file: 'push.py', href: pushPy, needs: 'Python 3.8', start: 'python3 push.py' },
  { file: 'push.sh', href: pushSh, needs: 'curl and jq', start: 'sh push.sh' },
] as const;

/** How a program pushes listings. There is nothing to set up but the token. */
export function PushGuide({ isOn, back }: { isOn: boolean; back: { href: string; text: string } }) {
  const { origin } = window.location;
  return (
    <Box maxW="form">
      <BackLink to={back.href}>{back.text}</BackLink>
      <Card as="section" pad="lg" mt="2" aria-labelledby="push-guide">
        <Heading id="push-guide" as="h3" size="md">
          My own program
        </Heading>
        {isOn ? (
          <Muted mt="1">
            Send this call with the token that is set as INGEST_TOKEN on the server. The source my-cars appears in the
            list at its first push; choose any name of a–z, 0–9 and -.
          </Muted>
        ) : (
          <chakra.p mt="3" p="3" borderRadius="field" bg="badSoft" color="bad" fontSize="sm">
            Pushing is switched off. Set INGEST_TOKEN in the environment of LotWatch to a long random text, restart it,
            and send this call with that token.
          </chakra.p>
        )}
        <Copied label="Example of a push" text={example(origin)} />
        <Part id="push-programs" title="Send a file">
          <Muted mt="1">
            Each of these programs sends a file with a JSON array of listings, or one listing a line, in as many calls
            as it takes. A file may be sent again: what is known already stays as it is.
          </Muted>
          <chakra.ul listStyleType="none" p="0" mt="3" display="flex" flexDirection="column" gap="3">
            {programs.map(({ file, href, needs }) => (
              <Flex as="li" key={file} align="center" justify="space-between" gap="3">
                <Box>
                  <chakra.span display="block" fontWeight="600">
                    {file}
                  </chakra.span>
                  <Muted as="span">needs {needs}</Muted>
                </Box>
                <AnchorButton href={href} download={file} variant="outline" size="sm" aria-label={`Download ${file}`}>
                  <Download size={16} aria-hidden />
                  Download
                </AnchorButton>
              </Flex>
            ))}
          </chakra.ul>
          <Copied
            label="How the programs are started"
            text={[
              `export LOTWATCH_URL=${origin}`,
              'export INGEST_TOKEN=…',
              ...programs.map(({ start }) => `${start} my-cars cars.json`),
            ].join('\n')}
          />
        </Part>
        <Part id="push-call" title="The call">
          <chakra.ul mt="2" pl="5" listStyleType="disc" display="flex" flexDirection="column" gap="1.5" fontSize="sm">
            <li>
              <Line>POST /api/ingest/NAME</Line> takes up to 1,000 listings and 5 MB: a JSON array, or one listing a
              line. It is no part of the API for users, and takes no key of theirs.
            </li>
            <li>
              A listing needs an id and a title, and a place: a car without one is stored, but matches no alert. Price,
              mileage, photos, description and the rest are read under the names that marketplaces and schema.org use.
            </li>
            <li>
              The answer has a result for each listing. What can’t be read goes to the quarantine with the reason.
            </li>
            <li>
              503 means that nothing was stored: send the same again after the seconds that Retry-After says. Sending
              twice does no harm.
            </li>
            <li>A car is for sale until a push says otherwise, or 30 days after it was last sent.</li>
          </chakra.ul>
          <TextLink to="/admin?tab=quarantine" mt="2" fontSize="sm" display="inline-flex">
            See the quarantine
          </TextLink>
        </Part>
      </Card>
    </Box>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Box as="section" aria-labelledby={id} mt="6">
      <Heading id={id} as="h4" size="sm">
        {title}
      </Heading>
      {children}
    </Box>
  );
}

/** A text with a button that copies it. */
function Copied({ label, text }: { label: string; text: string }) {
  const block = useRef<HTMLPreElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      toast('Copied', 'Put your token in its place.');
    } catch {
      if (block.current) window.getSelection()?.selectAllChildren(block.current);
      toast('The text is selected', 'Copy it with your keyboard or the menu.', 'notice');
    }
  };
  return (
    <Box mt="3">
      <Block ref={block} aria-label={label}>
        {text}
      </Block>
      <Button variant="outline" size="sm" mt="2" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
        {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </Box>
  );
}
