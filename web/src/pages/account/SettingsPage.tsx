import { Flex } from '@chakra-ui/react';
import { deliveryWords } from '@lotwatch/api/forms/delivery';
import { ChangePasswordForm } from '../../features/account/password/ChangePasswordForm.tsx';
import { TextsCard } from '../../features/account/phone/TextsCard.tsx';
import { PushCard } from '../../features/account/push/PushCard.tsx';
import { PauseCard } from '../../features/account/settings/PauseCard.tsx';
import { PrivacyCard } from '../../features/account/settings/PrivacyCard.tsx';
import { ProfileCard } from '../../features/account/settings/ProfileCard.tsx';
import { SettingsLinkCard } from '../../features/account/settings/SettingsLinkCard.tsx';
import { useViewer } from '../../features/account/viewer.ts';
import { useSite } from '../../lib/server/site.ts';
import { toggleColourMode, useColourMode } from '../../lib/state/colour-mode.ts';
import { Switch } from '../../ui/form/Switch.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

/** Profile, password, privacy and appearance. */
export function SettingsPage() {
  const { viewer } = useViewer();
  const site = useSite();
  if (!viewer) return null;
  return (
    <Flex direction="column" gap="5" maxW="form">
      <PageTitle title="Settings" subtitle="Your account, notifications and privacy." />
      <ProfileCard viewer={viewer} asksToConfirm={site?.confirmEmail ?? false} />
      <TextsCard viewer={viewer} />
      <PushCard />
      <PauseCard isPaused={viewer.messagesPaused} />
      <SettingsLinkCard
        id="new-alerts"
        title="New alerts"
        text={`How your next alert begins: ${deliveryWords(viewer.alertDefaults)}`}
        to="/settings/new-alerts"
        button="Change New Alerts"
      />
      <SettingsLinkCard
        id="notifications"
        title="Notifications"
        text="See which messages were sent to you, and what waits until when and why."
        to="/notifications"
        button="See Your Notifications"
      />
      <Card as="section" aria-labelledby="password" pad="lg">
        <Heading id="password" size="md">
          Password
        </Heading>
        <Muted mt="1" mb="5">
          Changing it signs you out on every other device and ends your shared links.
        </Muted>
        <ChangePasswordForm username={viewer.username} />
      </Card>
      <SettingsLinkCard
        id="two-step"
        title="Two-step sign-in"
        text={
          viewer.secondFactor
            ? 'On: each sign-in asks for a code from your authenticator app.'
            : 'Off: your password alone signs you in. Turn it on to require a code from your phone as well.'
        }
        to="/settings/two-step"
        button={viewer.secondFactor ? 'Manage Two-Step' : 'Set Up Two-Step'}
      />
      <SettingsLinkCard
        id="signed-in"
        title="Devices"
        text="See where you are signed in, and sign out of devices that you no longer use."
        to="/settings/devices"
        button="See Your Devices"
      />
      <SettingsLinkCard
        id="shared-links"
        title="Shared links"
        text="See which alerts and lists of cars you share by a link, and end links."
        to="/settings/shared-links"
        button="See Your Links"
      />
      <SettingsLinkCard
        id="api"
        title="API and webhooks"
        text="Keys for your programs and events for your server, on the Elite plan."
        to="/settings/api"
        button="Open API Settings"
      />
      <PrivacyCard />
      <Appearance />
    </Flex>
  );
}

function Appearance() {
  const mode = useColourMode();
  return (
    <Card as="section" aria-labelledby="looks" pad="lg">
      <Heading id="looks" size="md">
        Appearance
      </Heading>
      <Flex justify="space-between" align="center" gap="4" mt="3" minH="44px">
        <Muted>Use dark mode on this device.</Muted>
        <Switch label="Dark mode" checked={mode === 'dark'} onChange={toggleColourMode} />
      </Flex>
    </Card>
  );
}
