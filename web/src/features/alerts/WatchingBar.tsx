import { Box, Flex } from '@chakra-ui/react';
import { useFreshSite } from '../../lib/server/site.ts';
import { useNow } from '../../lib/state/now.ts';
import { timeAgo } from '../../lib/text/time.ts';
import { Button, TextLink } from '../../ui/parts/Button.tsx';
import { Card } from '../../ui/parts/Card.tsx';
import { LiveDot } from '../../ui/parts/LiveDot.tsx';
import { canRenew, daysRemainingText } from './alert-words.ts';
import { useRenewAlert, useSwitchAlert } from './use-alert-actions.ts';

interface WatchedAlert {
  id: string;
  isActive: boolean;
  expiresAt: string;
  daysRemaining: number;
  pausedByPlan: boolean;
}

/** Shows whether the alert is watching, how recent the last check is, and when it expires. */
export function WatchingBar({ alert: saved }: { alert: WatchedAlert }) {
  const { shown: alert, switchTo } = useSwitchAlert(saved);
  const { renew, isRenewing } = useRenewAlert();
  const isExpired = !alert.isActive && alert.daysRemaining === 0;
  return (
    <Card
      pad="none"
      px={{ base: '4', md: '4' }}
      py="2.5"
      minH="48px"
      display="flex"
      flexWrap="wrap"
      alignItems="center"
      columnGap="4"
      rowGap="1"
    >
      <Flex align="center" gap="2.5" flex="1 1 280px" fontSize="sm">
        <LiveDot on={alert.isActive} />
        <Box>
          <Box as="strong" fontWeight="650" mr="2.5">
            {alert.isActive ? 'Watching' : isExpired ? 'Expired' : 'Paused'}
          </Box>
          <Box as="span" color="muted" fontVariantNumeric="tabular-nums">
            {alert.isActive ? <LastCheck /> : isExpired ? 'Renew it to activate it again' : inactiveReason(alert)}
          </Box>
        </Box>
      </Flex>
      <Flex flex="0 1 auto" align="center" gap="3" pl={{ base: '26px', md: '0' }} fontSize="sm" color="muted">
        {alert.isActive ? daysRemainingText(alert.daysRemaining) : null}
        {canRenew(alert) ? (
          <Button variant="outline" size="sm" disabled={isRenewing} onClick={() => void renew(alert.id)}>
            Renew
          </Button>
        ) : null}
        {alert.isActive || isExpired ? null : (
          <Button variant="outline" size="sm" onClick={() => void switchTo(true)}>
            Switch on
          </Button>
        )}
      </Flex>
    </Card>
  );
}

const inactiveReason = ({ pausedByPlan }: WatchedAlert): string =>
  pausedByPlan ? "It exceeds your plan's limit" : 'This alert is off';

function LastCheck() {
  const site = useFreshSite();
  const now = useNow(1000);
  if (!site) return <ReservedSpace>{typicalText}</ReservedSpace>;
  const { lastCheckedAt, lateSources, medianSecondsToMail: seconds } = site;
  const checked = lastCheckedAt ? `last checked ${timeAgo(lastCheckedAt, now)}` : 'waiting for the first check';
  return (
    <>
      {/* One text: as two, the second would move whenever the age of the first gets longer. */}
      {seconds == null ? checked : `${checked}${reachesIn(seconds)}`}
      {lateSources > 0 ? (
        <>
          {' · '}
          <TextLink to="/status">{lateSources === 1 ? '1 source is late' : `${lateSources} sources are late`}</TextLink>
        </>
      ) : null}
      {seconds == null ? <ReservedSpace>{reachesIn(0)}</ReservedSpace> : null}
    </>
  );
}

const reachesIn = (seconds: number) => ` · a match reaches you in ${Number(seconds.toFixed(1))} s (median)`;
/** A text of typical length, hidden, keeps the space until the real one is known. */
const typicalText = `last checked 10 s ago${reachesIn(2.5)}`;

/** Reserves the space of a text that is not known yet, which is one more line on a phone. */
function ReservedSpace({ children }: { children: string }) {
  return (
    <Box as="span" aria-hidden visibility="hidden">
      {children}
    </Box>
  );
}
