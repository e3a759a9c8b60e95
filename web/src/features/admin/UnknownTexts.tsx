import { useQuery } from '@apollo/client/react';
import { chakra, Flex } from '@chakra-ui/react';
import { graphql } from '../../gql/gql.ts';
import type { UnknownTextsQuery } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { useNow } from '../../lib/state/now.ts';
import { plural, timeAgo } from '../../lib/text/time.ts';
import { Card, Chip, Heading, Muted } from '../../ui/parts/Card.tsx';
import { LoadOlder } from '../../ui/parts/sections/LoadOlder.tsx';
import { EmptyState, ErrorPanel } from '../../ui/parts/states.tsx';
import { AdminSkeletons } from './AdminSkeletons.tsx';

const UnknownTextsDocument = graphql(`
  query UnknownTexts($after: String) {
    unknownTexts(first: 20, after: $after) {
      nodes {
        id
        kind
        userId
        username
        alertId
        to
        cars
        claimedAt
        reason
      }
      endCursor
      hasMore
      total
    }
  }
`);

type UnknownText = UnknownTextsQuery['unknownTexts']['nodes'][number];

/** Texts of which it is unknown whether the provider sent them: they are never sent again and are listed for the admin. */
export function UnknownTexts() {
  const result = useQuery(UnknownTextsDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const now = useNow(30_000);
  const page = result.data?.unknownTexts;
  if (!page && error) {
    return (
      <ErrorPanel title="The texts could not be loaded" onRetry={() => result.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  if (!page) return <AdminSkeletons what="the texts" h="10" />;
  return (
    <Flex direction="column" gap="3.5">
      <div>
        <Heading size="md">
          {page.total === 0 ? 'Texts with an unknown outcome' : `${plural(page.total, 'text')} with an unknown outcome`}
        </Heading>
        <Muted mt="1" maxW="68ch">
          The provider may or may not have accepted these texts, so they are never sent again. Look for their IDs in the
          provider's log.
        </Muted>
      </div>
      {page.nodes.length === 0 ? (
        <EmptyState title="None">Every text was sent, or refused for a reason that we know.</EmptyState>
      ) : (
        <chakra.ul aria-label="Texts with an unknown outcome" display="flex" flexDirection="column" gap="2.5" p="0">
          {page.nodes.map((text) => (
            <Row key={text.id} text={text} now={now} />
          ))}
        </chakra.ul>
      )}
      {page.hasMore ? (
        <LoadOlder what="texts" load={() => result.fetchMore({ variables: { after: page.endCursor ?? null } })} />
      ) : null}
    </Flex>
  );
}

function Row({ text, now }: { text: UnknownText; now: Date }) {
  const about = text.kind === 'code' ? 'A code' : `${plural(text.cars, 'car')} of alert ${text.alertId}`;
  return (
    <Card as="li" listStyleType="none" pad="sm">
      <Flex align="center" gap="2" wrap="wrap">
        <Heading as="h3" size="sm" overflowWrap="anywhere">
          {text.username ?? `User ${text.userId}`}
        </Heading>
        <Chip tone="quiet">{text.to}</Chip>
      </Flex>
      <chakra.p fontSize="sm" mt="1" overflowWrap="anywhere">
        {about}
        {text.reason ? ` · ${text.reason}` : ''}
      </chakra.p>
      <Muted fontSize="xs" mt="1" overflowWrap="anywhere">
        {timeAgo(text.claimedAt, now)} · {text.id}
      </Muted>
    </Card>
  );
}
