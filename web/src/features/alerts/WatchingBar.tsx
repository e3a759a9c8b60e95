import { Box, chakra, Flex } from '@chakra-ui/react';
import { useFreshSite } from '../../lib/server/site.ts';
import { useNow } from '../../lib/state/now.ts';
import { shortDuration, timeAgo } from '../../lib/text/time.ts';
import { Button, InlineLink } from '../../ui/parts/Button.tsx';
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

/** One line; on a phone the last check has lines of its own below the state, whose end is left for `Details`. */
const Bar = chakra('div', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: 'auto auto minmax(0, 1fr)', md: 'auto auto minmax(0, 1fr) auto auto' },
    gridTemplateAreas: {
      base: '"dot state days" ". check check" ". action action"',
      md: '"dot state check days action"',
    },
    alignItems: 'center',
    columnGap: '2.5',
    fontSize: 'sm',
    color: 'muted',
    fontVariantNumeric: 'tabular-nums',
  },
});

/** Shows whether the alert is watching, how recent the last check is, and when it expires. */
export function WatchingBar({ alert: saved }: { alert: WatchedAlert }) {
  const { shown: alert, switchTo } = useSwitchAlert(saved);
  const { renew, isRenewing } = useRenewAlert();
  const hasAction = canRenew(alert) || !alert.isActive;
  const isExpired = !alert.isActive && alert.daysRemaining === 0;
  return (
    <Bar>
      <Flex gridArea="dot" w="4" justify="center">
        <LiveDot on={alert.isActive} />
      </Flex>
      <Box as="strong" gridArea="state" fontWeight="650" color="ink">
        {alert.isActive ? 'Watching' : isExpired ? 'Expired' : 'Paused'}
      </Box>
      <Box gridArea="check">
        {alert.isActive ? <LastCheck /> : isExpired ? 'Renew it to activate it again' : inactiveReason(alert)}
      </Box>
      <Box gridArea="days" pe={{ base: '16', md: '0' }} me={{ md: hasAction ? '0' : '-2.5' }}>
        {alert.isActive ? daysRemainingText(alert.daysRemaining) : null}
      </Box>
      <Flex gridArea="action" gap="3" css={{ '& > *': { mt: { base: '2', md: '0' } } }}>
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
    </Bar>
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
          <InlineLink to="/status">
            {lateSources === 1 ? '1 source is late' : `${lateSources} sources are late`}
          </InlineLink>
        </>
      ) : null}
      {seconds == null ? <ReservedSpace>{reachesIn(0)}</ReservedSpace> : null}
    </>
  );
}

const reachesIn = (seconds: number) => ` · a match reaches you in ${shortDuration(seconds)} (median)`;
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
