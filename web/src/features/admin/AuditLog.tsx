import { useQuery } from '@apollo/client/react';
import { chakra, Flex } from '@chakra-ui/react';
import { graphql } from '../../gql/gql.ts';
import type { AuditLogQuery } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { useNow } from '../../lib/state/now.ts';
import { timeText } from '../../lib/text/time.ts';
import { Badge, Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { LoadOlder } from '../../ui/parts/sections/LoadOlder.tsx';
import { EmptyState, ErrorPanel } from '../../ui/parts/states.tsx';
import { AdminSkeletons } from './AdminSkeletons.tsx';
import { actorWords, outcomeWords } from './admin-words.ts';

const AuditLogDocument = graphql(`
  query AuditLog($after: String) {
    auditLog(first: 20, after: $after) {
      nodes {
        id
        at
        actor
        action
        label
        subject
        outcome
      }
      endCursor
      hasMore
    }
  }
`);

type AuditEntry = AuditLogQuery['auditLog']['nodes'][number];

/** The acts of the admin and of commands, newest first. They can't be changed. */
export function AuditLog() {
  const result = useQuery(AuditLogDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const now = useNow(30_000);
  const page = result.data?.auditLog;
  if (!page && error) {
    return (
      <ErrorPanel title="The audit log could not be loaded" onRetry={() => result.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  if (!page) return <AdminSkeletons what="the audit log" h="10" />;
  return (
    <Flex direction="column" gap="3.5">
      <div>
        <Heading size="md">Audit log</Heading>
        <Muted mt="1" maxW="68ch">
          Actions of the admin and of commands, and sign-ins as the admin. Entries can’t be changed or deleted.
        </Muted>
      </div>
      {page.nodes.length === 0 ? (
        <EmptyState title="Nothing yet">Actions of the admin appear here.</EmptyState>
      ) : (
        <chakra.ul aria-label="Audit log" display="flex" flexDirection="column" gap="2.5" p="0">
          {page.nodes.map((entry) => (
            <Row key={entry.id} entry={entry} now={now} />
          ))}
        </chakra.ul>
      )}
      {page.hasMore ? (
        <LoadOlder what="rows" load={() => result.fetchMore({ variables: { after: page.endCursor ?? null } })} />
      ) : null}
    </Flex>
  );
}

function Row({ entry, now }: { entry: AuditEntry; now: Date }) {
  const outcome = outcomeWords(entry.outcome);
  return (
    <Card as="li" listStyleType="none" pad="sm">
      <Flex align="center" gap="2" wrap="wrap">
        <Heading as="h3" size="sm" overflowWrap="anywhere">
          {entry.label}
        </Heading>
        {outcome ? <Badge tone={outcome.failed ? 'bad' : 'quiet'}>{outcome.text}</Badge> : null}
      </Flex>
      <chakra.p fontSize="sm" mt="1" overflowWrap="anywhere">
        {[actorWords(entry.actor), entry.subject].filter(Boolean).join(' · ')}
      </chakra.p>
      <Muted fontSize="xs" mt="1" overflowWrap="anywhere">
        <time dateTime={entry.at}>{timeText(entry.at, now)}</time> · {entry.action}
      </Muted>
    </Card>
  );
}
