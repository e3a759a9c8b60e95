import { Flex } from '@chakra-ui/react';
import { useViewer } from '../../features/account/viewer.ts';
import { AlertDefaultsForm } from '../../features/alert-form/AlertDefaultsForm.tsx';
import { isPaid } from '../../features/billing/subscription.ts';
import { BackLink } from '../../ui/parts/Button.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

/** How new alerts notify, unless their form says otherwise. */
export function NewAlertsPage() {
  const { viewer } = useViewer();
  if (!viewer) return null;
  return (
    <Flex direction="column" gap="5" maxW="form">
      <div>
        <BackLink to="/settings" mb={{ base: '1', md: '2' }}>
          Settings
        </BackLink>
        <PageTitle
          title="New alerts"
          subtitle="Each new alert begins with this choice. The alerts that you have stay as they are."
        />
      </div>
      <AlertDefaultsForm viewer={viewer} canText={isPaid(viewer.subscription.planId)} />
    </Flex>
  );
}
