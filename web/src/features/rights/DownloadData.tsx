import { useMutation } from '@apollo/client/react';
import { chakra, Flex } from '@chakra-ui/react';
import { Check, Download } from 'lucide-react';
import { useState } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { toastFault } from '../../lib/server/faults/run-action.ts';
import { saveFile } from '../../lib/text/save-file.ts';
import { BusyButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { exportFileName, withProgress } from './export-file.ts';
import { ProgressBar } from './ProgressBar.tsx';
import { ExportMyDataDocument } from './rights-documents.ts';

const contents = [
  'Your profile, time zone and plan',
  'Every alert with its criteria',
  'Every match, its car, and when you viewed it; the cars you saved',
  'Every message we sent you, and every one you sent us',
  'Your sessions, devices with push notifications, two-step sign-in and deletion requests',
];

/** Downloads everything that is stored about the user as a file. */
export function DownloadData({ username }: { username: string }) {
  const [exportData, { loading }] = useMutation(ExportMyDataDocument, { fetchPolicy: 'no-cache' });
  const [isBusy, setBusy] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const download = async () => {
    setBusy(true);
    setSaved(null);
    try {
      const { data } = await withProgress(exportData());
      const name = exportFileName(username, new Date());
      saveFile(name, JSON.stringify(data?.exportMyData, null, 2), 'application/json');
      setSaved(name);
    } catch (error) {
      toastFault('Export failed', readFault(error));
    }
    setBusy(false);
  };
  const busy = isBusy || loading;
  return (
    <Card pad="lg">
      <Heading size="md">A copy of your data</Heading>
      <Muted mt="2">You get one JSON file with everything we store about you, except your password.</Muted>
      <chakra.ul
        m="0"
        mt="4"
        p="0"
        fontSize="sm"
        display="grid"
        gridTemplateColumns={{ base: '1fr', lg: '1fr 1fr' }}
        columnGap="6"
        rowGap="2"
      >
        {contents.map((content) => (
          <chakra.li key={content} display="flex" gap="2" listStyleType="none">
            <chakra.span color="good" flexShrink={0} pt="0.5">
              <Check size={16} aria-hidden />
            </chakra.span>
            {content}
          </chakra.li>
        ))}
      </chakra.ul>
      <Flex mt="5" gap="4" align="center" alignContent="flex-start" wrap="wrap" minH={{ base: '112px', md: '11' }}>
        <BusyButton isBusy={busy} onClick={() => void download()}>
          <Download size={16} aria-hidden />
          {busy ? 'Preparing your data...' : 'Download JSON'}
        </BusyButton>
        {busy ? <ProgressBar label="Preparing your data" /> : null}
        <chakra.p role="status" fontSize="sm" color="good" fontWeight="600" overflowWrap="anywhere" minW="0">
          {saved ? `Saved as ${saved}` : ''}
        </chakra.p>
      </Flex>
    </Card>
  );
}
