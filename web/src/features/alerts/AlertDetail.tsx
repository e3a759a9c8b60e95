import { Box, chakra, Flex } from '@chakra-ui/react';
import { BellOff, Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AlertFacts_AlertFragment } from '../../gql/graphql.ts';
import { criteriaTexts, type StatedCriteria } from '../../lib/server/alert-facts.ts';
import { useNow } from '../../lib/state/now.ts';
import { alertAge, dateText } from '../../lib/text/time.ts';
import { InlineLink } from '../../ui/parts/Button.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';

const Parts = chakra('span', {
  base: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '4',
    overflow: 'hidden',
    fontSize: { base: 'sm', md: 'inherit' },
  },
});

/** The dot is placed before the text, so at the beginning of a line it is outside and cut off. */
const Part = chakra('bdi', {
  base: {
    position: 'relative',
    minW: '0',
    overflowWrap: 'anywhere',
    _before: { content: '"·"', position: 'absolute', left: '-10px' },
  },
});

/** The alert's criteria in one line below its name. */
export function AlertCriteria({ alert }: { alert: StatedCriteria }) {
  return (
    <Parts>
      {criteriaTexts(alert).map((part) => (
        <Part key={part}>{part}</Part>
      ))}
    </Parts>
  );
}

const Preferences = chakra('ul', {
  base: { listStyle: 'none', display: 'flex', flexWrap: 'wrap', columnGap: '5', rowGap: '1.5' },
});

function Preference({ on, children }: { on: boolean; children: string }) {
  return (
    <Flex as="li" align="center" gap="1.5" color={on ? 'ink' : 'muted'}>
      <Box color={on ? 'brand' : 'muted'}>{on ? <Check size={15} aria-hidden /> : <Minus size={15} aria-hidden />}</Box>
      {children}
      <VisuallyHidden>{on ? ': on' : ': off'}</VisuallyHidden>
    </Flex>
  );
}

/** Says that push notifications reach nobody, and leads to where they are turned on. */
export function NoDeviceLine() {
  return (
    <Flex align="flex-start" gap="2">
      <Box color="bad" pt="3px">
        <BellOff size={15} aria-hidden />
      </Box>
      <span>
        No device gets your push notifications yet.{' '}
        <InlineLink to="/settings#push">Turn them on for a device</InlineLink>
      </span>
    </Flex>
  );
}

interface AlertPreferencesProps {
  alert: AlertFacts_AlertFragment;
  /** What can be done with these preferences, after the date. */
  children: ReactNode;
}

/** The alert's preferences, and the date of its creation. */
export function AlertPreferences({ alert, children }: AlertPreferencesProps) {
  const now = useNow(60_000);
  return (
    <Flex wrap="wrap" align="center" justify="space-between" columnGap="6" rowGap="2">
      <Preferences aria-label="Preferences">
        <Preference on={alert.onlyWithImages}>Only listings with images</Preference>
        <Preference on={alert.emailNotifications}>Email notifications</Preference>
        {alert.textNotifications ? <Preference on>Text notifications</Preference> : null}
        {alert.pushNotifications ? <Preference on>Push notifications</Preference> : null}
      </Preferences>
      <Flex wrap="wrap" align="center" columnGap="4" color="muted">
        <span>
          Created {dateText(alert.createdAt, now)} · {alertAge(alert.createdAt, now)}
        </span>
        {children}
      </Flex>
    </Flex>
  );
}
