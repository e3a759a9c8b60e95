import { useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { useSearchParams } from 'react-router-dom';
import { isAdmin, useViewer } from '../features/account/viewer.ts';
import { AdminSkeletons } from '../features/admin/AdminSkeletons.tsx';
import { AuditLog } from '../features/admin/AuditLog.tsx';
import { AdminCountsDocument } from '../features/admin/admin-counts.ts';
import { countRequests, DeletionRequests } from '../features/admin/deletion/DeletionRequests.tsx';
import { QuarantineFilter } from '../features/admin/QuarantineFilter.tsx';
import { QuarantineList } from '../features/admin/QuarantineList.tsx';
import { QuarantineDocument, SourceHealthDocument } from '../features/admin/quarantine-documents.ts';
import { type SourcesPlace, SourcesSection } from '../features/admin/sources/SourcesSection.tsx';
import { UnknownTexts } from '../features/admin/UnknownTexts.tsx';
import { readFault } from '../lib/server/faults/errors.ts';
import { useFailure } from '../lib/server/faults/use-failure.ts';
import { LinkButton } from '../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../ui/parts/Card.tsx';
import { PageTitle, useDocumentTitle } from '../ui/parts/PageTitle.tsx';
import { Tabs } from '../ui/parts/sections/Tabs.tsx';
import { ErrorPanel } from '../ui/parts/states.tsx';
import { VisuallyHidden } from '../ui/parts/VisuallyHidden.tsx';

export function AdminPage() {
  const { viewer } = useViewer();
  const [params, setParams] = useSearchParams();
  const isAllowed = isAdmin(viewer);
  const counts = useQuery(AdminCountsDocument, { skip: !isAllowed, fetchPolicy: 'cache-and-network' }).data
    ?.adminCounts;
  if (!isAllowed) return <AccessDenied />;
  const tabs = [
    {
      key: 'deletions',
      name: 'Deletion requests',
      count: counts ? countRequests(counts) : null,
      content: (
        <DeletionRequests
          counts={counts}
          status={params.get('status') ?? ''}
          onChoose={(status) => setParams({ tab: 'deletions', status }, { replace: true })}
        />
      ),
    },
    {
      key: 'sources',
      name: 'Sources',
      count: counts?.sources ?? null,
      content: (
        <>
          <VisuallyHidden as="h2">Sources</VisuallyHidden>
          <Sources />
        </>
      ),
    },
    { key: 'quarantine', name: 'Quarantine', count: counts?.quarantine ?? null, content: <Quarantine /> },
    { key: 'texts', name: 'Texts', count: counts?.unknownTexts ?? null, content: <UnknownTexts /> },
    { key: 'audit', name: 'Audit log', count: counts?.auditEntries ?? null, content: <AuditLog /> },
  ];
  return (
    <>
      <PageTitle title="Admin Panel" subtitle="Deletion requests, sources of listings, and the audit log." />
      <Flex direction="column" mt="6">
        <Tabs
          label="Sections"
          tabs={tabs}
          chosen={Math.max(
            0,
            tabs.findIndex(({ key }) => key === params.get('tab')),
          )}
          onChoose={(index) => setParams({ tab: tabs[index]?.key ?? '' }, { replace: true })}
        />
      </Flex>
    </>
  );
}

const quarantineHref = (source: string, code: string) =>
  `/admin?${new URLSearchParams({ tab: 'quarantine', source, code })}`;

function Sources() {
  const [params, setParams] = useSearchParams();
  const add = params.get('add');
  const edit = params.get('edit');
  const paramsOf = (place: SourcesPlace) => ({ tab: 'sources', ...place });
  return (
    <SourcesSection
      place={{ ...(add !== null && { add }), ...(edit !== null && { edit }) }}
      hrefOf={(place) => `/admin?${new URLSearchParams(paramsOf(place))}`}
      onGo={(place) => setParams(paramsOf(place))}
      quarantineHref={quarantineHref}
    />
  );
}

function Quarantine() {
  const [params, setParams] = useSearchParams();
  const choice = { source: params.get('source') ?? '', code: params.get('code') ?? '' };
  const sources = useQuery(SourceHealthDocument).data?.sourceHealth ?? [];
  const result = useQuery(QuarantineDocument, {
    variables: { source: choice.source || null, code: choice.code || null },
    // A record dismissed in one filter's list is in the lists of others too.
    fetchPolicy: 'cache-and-network',
  });
  const error = useFailure(result);
  const page = result.data?.quarantine;
  return (
    <Flex direction="column" gap="5">
      <QuarantineFilter
        sources={sources.map(({ name }) => name)}
        choice={choice}
        onChoose={(chosen) => setParams({ tab: 'quarantine', ...chosen }, { replace: true })}
      />
      {page ? (
        <QuarantineList
          page={page}
          choice={choice}
          loadOlder={() => result.fetchMore({ variables: { after: page.endCursor ?? null } })}
        />
      ) : error ? (
        <ErrorPanel title="The quarantine could not be loaded" onRetry={() => result.refetch()}>
          {readFault(error).message}
        </ErrorPanel>
      ) : (
        <AdminSkeletons what="the quarantine" h="10" />
      )}
    </Flex>
  );
}

/** The page at /admin for everyone but the admin. */
function AccessDenied() {
  useDocumentTitle('Access Denied');
  return (
    <Box maxW="560px" mx="auto" py={{ base: '6', md: '12' }}>
      <Card pad="lg" textAlign="center">
        <Heading as="h1" size="xl">
          Access Denied
        </Heading>
        <Muted mt="2" mb="6">
          Only the admin can open this page.
        </Muted>
        <LinkButton to="/dashboard">Dashboard</LinkButton>
      </Card>
    </Box>
  );
}
