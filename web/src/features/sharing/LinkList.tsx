import { useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { BellRing, ListChecks } from 'lucide-react';
import { useState } from 'react';
import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { dateText } from '../../lib/text/time.ts';
import { Button, LinkButton } from '../../ui/parts/Button.tsx';
import { Badge, Heading, Muted } from '../../ui/parts/Card.tsx';
import { ConfirmDialog } from '../../ui/parts/ConfirmDialog.tsx';
import { IconTile } from '../../ui/parts/IconTile.tsx';
import { ListRow, ListSection, NoRows, RowList } from '../../ui/parts/sections/ListSection.tsx';
import { ErrorPanel } from '../../ui/parts/states.tsx';
import { listName, listTitles } from './link-words.ts';
import { type SharedLink, SharedLinksDocument } from './sharing-documents.ts';
import { useLinkActions } from './use-link-actions.ts';

/** The viewer's links that work, and ending them. */
export function LinkList() {
  const result = useQuery(SharedLinksDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const [ending, setEnding] = useState<SharedLink | null>(null);
  const { end } = useLinkActions();
  const links = result.data?.sharedLinks;
  if (!links && error) {
    return (
      <ErrorPanel title="Your links could not be loaded" onRetry={() => result.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  return (
    <>
      <ListSection
        id="shared-links"
        title="Links that work"
        about="At most 20. Each ends by itself 90 days after it was made. All end when you change your password or sign out all other devices. We don't keep their addresses, so they can't be shown again."
        loading="Loading your links"
        action={null}
      >
        {links?.length === 0 ? (
          <NoRows title="You share nothing">
            Press “Share” on the page of an alert, above your saved cars, or where you compare cars.
          </NoRows>
        ) : links ? (
          <RowList>
            {links.map((link) => (
              <LinkRow key={link.id} link={link} onEnd={() => setEnding(link)} />
            ))}
          </RowList>
        ) : undefined}
      </ListSection>
      {ending ? (
        <ConfirmDialog
          title="End this link?"
          button="End Link"
          acting="Ending..."
          danger
          act={() => end(ending.id)}
          onClose={() => setEnding((now) => (now === ending ? null : now))}
        >
          Whoever opens it sees nothing any more. This takes effect immediately and can't be undone.
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function LinkRow({ link, onEnd }: { link: SharedLink; onEnd: () => void }) {
  const catalogue = useCatalogue();
  const { alert } = link;
  const name = alert ? askedLabel(catalogue, alert) : listName(link);
  const Icon = alert ? BellRing : ListChecks;
  return (
    <ListRow sided>
      <Flex flex="1" minW="0" gap="4" align="flex-start">
        <IconTile>
          <Icon size={20} aria-hidden />
        </IconTile>
        <Box minW="0">
          <Flex columnGap="2.5" rowGap="1" align="center" wrap="wrap">
            <Heading as="h3" size="sm" overflowWrap="anywhere">
              {name}
            </Heading>
            <Badge tone="quiet">{alert ? 'Alert' : 'List'}</Badge>
          </Flex>
          <Muted mt="1" overflowWrap="anywhere" lineClamp="2">
            {alert ? `The newest cars that fit near ${alert.place}` : listTitles(link)}
          </Muted>
          <Muted mt="0.5" display="flex" columnGap="3" flexWrap="wrap">
            <span>Made {dateText(link.createdAt)}</span>
            <span>Ends {dateText(link.expiresAt)}</span>
          </Muted>
        </Box>
      </Flex>
      <Flex flexShrink={0} gap="2">
        {alert ? (
          <LinkButton to={`/alert/${alert.id}`} variant="ghost" size="sm" aria-label={`See the alert: ${name}`}>
            See Alert
          </LinkButton>
        ) : null}
        <Button variant="outline" size="sm" color="bad" aria-label={`End the link: ${name}`} onClick={onEnd}>
          End
        </Button>
      </Flex>
    </ListRow>
  );
}
