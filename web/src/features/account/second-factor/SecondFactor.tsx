import { useApolloClient } from '@apollo/client/react';
import { chakra, Flex, Grid } from '@chakra-ui/react';
import { Check, Copy, Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { toast } from '../../../lib/state/toasts.ts';
import { saveFile } from '../../../lib/text/save-file.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { refreshViewer, type Viewer } from '../viewer.ts';
import { SetUp } from './SetUp.tsx';
import { TurnedOn } from './TurnedOn.tsx';

/** Two-step sign-in: set up, in use, or with codes to be saved. */
export function SecondFactor({ viewer }: { viewer: Viewer }) {
  const client = useApolloClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  // The viewer is refreshed only now: an earlier refresh would replace the codes before they are saved.
  const refresh = async () => {
    await refreshViewer(client).catch(() => undefined);
    setCodes(null);
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={() => void refresh()} />;
  if (!viewer.secondFactor) return <SetUp onCodes={setCodes} />;
  return <TurnedOn state={viewer.secondFactor} onCodes={setCodes} onEnded={() => void refresh()} />;
}

/** The recovery codes at the only time they can be read. Only their own button closes them. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => heading.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      toast('Codes copied', 'Keep them where only you can read them.');
    } catch {
      toast('The codes could not be copied', 'Download them, or write them down.', 'notice');
    }
  };
  return (
    <Card as="section" aria-labelledby="recovery-codes" pad="lg" bg="brandSoft" borderColor="brand">
      <Heading ref={heading} id="recovery-codes" size="md" tabIndex={-1} borderRadius="4px">
        Save your recovery codes
      </Heading>
      <Muted mt="1" color="ink">
        Each code signs you in once if you lose your phone. We keep no copy and can't show them again.
      </Muted>
      <Grid
        as="ul"
        aria-label="Recovery codes"
        templateColumns={{ base: '1fr', md: '1fr 1fr' }}
        columnGap="6"
        rowGap="2"
        my="5"
        p="4"
        bg="panel"
        borderRadius="field"
        fontFamily="mono"
        fontSize="sm"
        listStyleType="none"
      >
        {codes.map((code) => (
          <chakra.li key={code}>{code}</chakra.li>
        ))}
      </Grid>
      <Flex gap="3" wrap="wrap">
        <Button onClick={() => saveFile('lotwatch-recovery-codes.txt', text, 'text/plain')}>
          <Download size={16} aria-hidden />
          Download
        </Button>
        <Button variant="outline" onClick={() => void copy()} minW="104px">
          {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button variant="outline" onClick={onDone}>
          I have saved them
        </Button>
      </Flex>
    </Card>
  );
}
