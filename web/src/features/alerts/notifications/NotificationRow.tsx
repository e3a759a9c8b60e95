import { Box, chakra, Flex } from '@chakra-ui/react';
import { BellRing, Clock, type LucideIcon, Mail, MessageSquare } from 'lucide-react';
import { askedLabel, useCatalogue } from '../../../lib/server/catalogue.ts';
import { TextLink } from '../../../ui/parts/Button.tsx';
import { Badge, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { IconTile } from '../../../ui/parts/IconTile.tsx';
import { ListRow } from '../../../ui/parts/sections/ListSection.tsx';
import type { Entry } from './notification-documents.ts';
import { canResend, carsText, titleOf, whatHappened } from './notification-words.ts';
import { ResendButton } from './ResendButton.tsx';

const icons: Readonly<Record<string, LucideIcon>> = { sms: MessageSquare, push: BellRing };

interface NotificationRowProps {
  entry: Entry;
  now: Date;
  /** The account's. */
  timeZone: string;
  /** Called after it was sent again. */
  onResent: () => Promise<unknown>;
}

/** A message: what happened to it, its cars, and what can be done with it. */
export function NotificationRow({ entry, now, timeZone, onResent }: NotificationRowProps) {
  const Icon = entry.status === 'waiting' ? Clock : (icons[entry.channel] ?? Mail);
  const isBad = entry.status === 'failed' || entry.status === 'unknown';
  const cars = carsText(
    entry.listings.map(({ title }) => title),
    entry.listingCount,
  );
  return (
    <ListRow>
      <Flex gap="4" align="flex-start">
        <IconTile>
          <Icon size={20} aria-hidden />
        </IconTile>
        <Box minW="0" flex="1">
          <Flex columnGap="2.5" rowGap="1" align="center" wrap="wrap">
            <Heading as="h3" size="sm">
              {titleOf(entry)}
            </Heading>
            {entry.unread ? <Badge tone="beam">New</Badge> : null}
            {isBad ? <Badge tone="bad">{entry.status === 'failed' ? 'Failed' : 'Unknown'}</Badge> : null}
            {entry.status === 'sent' && entry.reason ? <Badge tone="bad">Not delivered</Badge> : null}
            {entry.status === 'dropped' ? <Badge tone="quiet">Not sent</Badge> : null}
          </Flex>
          <chakra.p fontSize="sm" mt="1">
            {whatHappened(entry, now, timeZone)}
          </chakra.p>
          {cars ? (
            <Muted mt="1" overflowWrap="anywhere">
              {cars}
            </Muted>
          ) : null}
          <Flex wrap="wrap" align="center" columnGap="5" mt="1" fontSize="sm">
            <AlertLink entry={entry} />
            {canResend(entry) ? <ResendButton entry={entry} timeZone={timeZone} onResent={onResent} /> : null}
          </Flex>
        </Box>
      </Flex>
    </ListRow>
  );
}

function AlertLink({ entry: { alert } }: { entry: Entry }) {
  const catalogue = useCatalogue();
  if (!alert) return <Muted>Its alert was deleted.</Muted>;
  return <TextLink to={`/alert/${alert.id}`}>Alert for {askedLabel(catalogue, alert)}</TextLink>;
}
