import { chakra, Flex } from '@chakra-ui/react';
import { ConfirmedBadge } from '../features/account/ConfirmedBadge.tsx';
import { useViewer } from '../features/account/viewer.ts';
import { toggleColourMode, useColourMode } from '../lib/state/colour-mode.ts';
import { Switch } from '../ui/form/Switch.tsx';
import { TextLink } from '../ui/parts/Button.tsx';
import { Card, Heading } from '../ui/parts/Card.tsx';
import { PageTitle } from '../ui/parts/PageTitle.tsx';

/** The profile and how the pages look. */
export function SettingsPage() {
  const { viewer } = useViewer();
  const mode = useColourMode();
  if (!viewer) return null;
  return (
    <Flex direction="column" gap="6" maxW="form">
      <PageTitle title="Settings" />
      <Card as="section" aria-labelledby="profile" pad="lg">
        <Heading id="profile" size="md">
          Profile
        </Heading>
        <chakra.dl mt="3">
          <Fact name="Username" value={viewer.username} />
          <Fact name="Email" value={viewer.email ?? 'None'}>
            {viewer.email ? <ConfirmedBadge isConfirmed={viewer.emailConfirmed} /> : null}
          </Fact>
          <Fact name="Phone" value={viewer.phone ?? 'None'} />
          <Fact name="Time zone" value={viewer.timeZone} />
        </chakra.dl>
      </Card>
      <Card as="section" aria-labelledby="looks" pad="lg">
        <Heading id="looks" size="md">
          Appearance
        </Heading>
        <Flex justify="space-between" align="center" mt="3">
          Dark mode
          <Switch label="Dark mode" checked={mode === 'dark'} onChange={toggleColourMode} />
        </Flex>
      </Card>
      <Flex gap="5" wrap="wrap">
        <TextLink to="/privacy">Privacy Policy</TextLink>
        <TextLink to="/terms">Terms of Service</TextLink>
      </Flex>
    </Flex>
  );
}

function Fact({ name, value, children }: { name: string; value: string; children?: React.ReactNode }) {
  return (
    <Flex py="3" gap="3" align="center" wrap="wrap" borderTopWidth="1px" borderColor="line" _first={{ border: '0' }}>
      <chakra.dt w="110px" color="muted" fontSize="sm">
        {name}
      </chakra.dt>
      <chakra.dd display="flex" gap="3" alignItems="center" flexWrap="wrap" minW="0" m="0">
        <chakra.span fontWeight="500" overflowWrap="anywhere">
          {value}
        </chakra.span>
        {children}
      </chakra.dd>
    </Flex>
  );
}
