import { Box, Flex } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useViewer } from '../../features/account/viewer.ts';
import { DownloadData } from '../../features/rights/DownloadData.tsx';
import { RequestDeletion } from '../../features/rights/RequestDeletion.tsx';
import { RightsCards } from '../../features/rights/RightsCards.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { Tabs } from '../../ui/parts/sections/Tabs.tsx';

const keys = ['download', 'deletion'];

/** The viewer's rights, and where to exercise them. */
export function DataRightsPage() {
  const { viewer } = useViewer();
  const [params, setParams] = useSearchParams();
  const { hash, key } = useLocation();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The location's key changes with each click on a card's link.
    if (key && hash === '#your-data') section.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  }, [hash, key]);
  if (!viewer) return null;
  const tabs = [
    { name: 'Download Your Data', content: <DownloadData username={viewer.username} /> },
    { name: 'Request Deletion', content: <RequestDeletion /> },
  ];
  return (
    <Flex direction="column" gap="6">
      <PageTitle title="Your Data Rights" subtitle="Your rights, and where to exercise them." />
      <RightsCards />
      <Box as="section" ref={section} mt="2">
        <Tabs
          label="Your data"
          tabs={tabs}
          chosen={Math.max(0, keys.indexOf(params.get('tab') ?? ''))}
          onChoose={(index) => setParams({ tab: keys[index] ?? '' }, { replace: true })}
        />
      </Box>
    </Flex>
  );
}
