import { Box, Flex } from '@chakra-ui/react';
import { useId, useState } from 'react';
import { useNow } from '../../lib/state/now.ts';
import { plural, timeText } from '../../lib/text/time.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Chip, Heading, Muted } from '../../ui/parts/Card.tsx';
import { ListRow } from '../../ui/parts/sections/ListSection.tsx';
import { DeliveryLog } from './DeliveryLog.tsx';
import type { WebhookActions } from './use-webhook-actions.ts';
import type { Webhook } from './webhook-documents.ts';
import { eventLabel, healthOf, lastTryText, shortUrl, stateText, type WebhookHealth } from './webhook-words.ts';

/** Actions that need a confirmation. */
export type DialogAction = 'edit' | 'rotate' | 'replay' | 'delete';

interface WebhookRowProps {
  webhook: Webhook;
  actions: WebhookActions;
  onOpenDialog: (action: DialogAction) => void;
}

/** A webhook in the list: its address and state; opened, its deliveries and actions. */
export function WebhookRow({ webhook, actions, onOpenDialog }: WebhookRowProps) {
  const now = useNow(15_000);
  const [isOpen, setOpen] = useState(false);
  const detailId = useId();
  const name = shortUrl(webhook.url);
  const last = lastTryText(webhook, now);
  return (
    <ListRow>
      <Flex direction={{ base: 'column', md: 'row' }} gap="3" align={{ base: 'stretch', md: 'flex-start' }}>
        <Box flex="1" minW="0">
          <Heading as="h3" size="sm" overflowWrap="anywhere">
            {name}
          </Heading>
          {webhook.description ? (
            <Muted mt="0.5" overflowWrap="anywhere">
              {webhook.description}
            </Muted>
          ) : null}
          <Flex mt="1.5" gap="2" align="center" fontSize="sm">
            <WebhookDot look={healthOf(webhook)} />
            <span>{stateText(webhook, now)}</span>
          </Flex>
          <Muted mt="1" overflowWrap="anywhere">
            {[last, webhook.waiting > 0 ? `${plural(webhook.waiting, 'event')} waiting` : '']
              .filter(Boolean)
              .join(' · ')}
          </Muted>
          <Flex mt="2.5" gap="1.5" wrap="wrap">
            {webhook.events.map((type) => (
              <Chip key={type} tone="quiet">
                {eventLabel(type)}
              </Chip>
            ))}
          </Flex>
        </Box>
        <Flex gap="2" flexShrink={0}>
          {webhook.state === 'paused' ? (
            <Button size="sm" aria-label={`Resume ${name}`} onClick={() => void actions.resume(webhook)}>
              Resume
            </Button>
          ) : null}
          <Button
            variant="outline"
            size="sm"
            aria-expanded={isOpen}
            aria-controls={detailId}
            aria-label={`${isOpen ? 'Hide' : 'Show'} details of ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide Details' : 'Details'}
          </Button>
        </Flex>
      </Flex>
      <div id={detailId}>
        {isOpen ? <Detail webhook={webhook} now={now} actions={actions} onOpenDialog={onOpenDialog} /> : null}
      </div>
    </ListRow>
  );
}

function Detail({ webhook, now, actions, onOpenDialog }: WebhookRowProps & { now: Date }) {
  const [isTesting, setTesting] = useState(false);
  const test = async () => {
    setTesting(true);
    await actions.test(webhook);
    setTesting(false);
  };
  return (
    <Box mt="4" p={{ base: '3.5', md: '4' }} borderWidth="1px" borderColor="line" borderRadius="field">
      <Flex gap="2" wrap="wrap">
        <Button variant="outline" size="sm" disabled={isTesting} onClick={() => void test()}>
          {isTesting ? 'Sending...' : 'Send Test Event'}
        </Button>
        {webhook.state === 'active' ? (
          <Button variant="outline" size="sm" onClick={() => void actions.pause(webhook)}>
            Pause
          </Button>
        ) : null}
        <Button variant="outline" size="sm" onClick={() => onOpenDialog('replay')}>
          Send Events Again
        </Button>
        <Button variant="outline" size="sm" onClick={() => onOpenDialog('edit')}>
          Edit
        </Button>
        <Button variant="outline" size="sm" onClick={() => onOpenDialog('rotate')}>
          Rotate Secret
        </Button>
        <Button variant="outline" size="sm" color="bad" onClick={() => onOpenDialog('delete')}>
          Delete
        </Button>
      </Flex>
      {webhook.previousSecretUntil ? (
        <Muted mt="3">
          Messages are also signed with the previous secret until {timeText(webhook.previousSecretUntil, now)}.
        </Muted>
      ) : null}
      <DeliveryLog webhookId={webhook.id} isPaused={webhook.state === 'paused'} onReplay={actions.replay} />
    </Box>
  );
}

const looks: Record<WebhookHealth, { bg: string; borderColor: string }> = {
  waiting: { bg: 'transparent', borderColor: 'good' },
  healthy: { bg: 'good', borderColor: 'good' },
  failing: { bg: 'bad', borderColor: 'bad' },
  paused: { bg: 'transparent', borderColor: 'muted' },
};

/** A webhook's state as a dot; the text beside it states it too. */
function WebhookDot({ look }: { look: WebhookHealth }) {
  return <Box aria-hidden w="11px" h="11px" flexShrink={0} borderRadius="full" borderWidth="3px" {...looks[look]} />;
}
