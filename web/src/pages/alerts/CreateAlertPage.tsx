import { Box, Flex } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useViewer } from '../../features/account/viewer.ts';
import { AlertForm } from '../../features/alert-form/AlertForm.tsx';
import { AlertFormSkeleton } from '../../features/alert-form/AlertFormSkeleton.tsx';
import { AlertLimitBanner } from '../../features/alert-form/AlertLimitBanner.tsx';
import { alertFormDefaults } from '../../features/alert-form/alert-form-values.ts';
import { useCreateAlert } from '../../features/alert-form/use-save-alert.ts';
import { dropWaitingAlert, readWaitingAlert } from '../../features/alert-form/waiting-alert.ts';
import { isPaid, useCurrentSubscription } from '../../features/billing/subscription.ts';
import { useAllowance } from '../../lib/server/allowance.ts';
import { useCatalogue, useCatalogueRetry } from '../../lib/server/catalogue.ts';
import { toast } from '../../lib/state/toasts.ts';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

export function CreateAlertPage() {
  const { viewer } = useViewer();
  const subscription = useCurrentSubscription();
  const { allowance, error } = useAllowance();
  const hasFailed = useCatalogueRetry() !== undefined;
  const hasChoices = useCatalogue() !== undefined || hasFailed;
  const [isDismissed, setIsDismissed] = useState(false);
  const [initialValues] = useState(() => readWaitingAlert() ?? alertFormDefaults);
  const { save, fail } = useCreateAlert();
  // Read once: a second visit starts from the defaults.
  useEffect(() => dropWaitingAlert(), []);
  const isUnchecked = error !== undefined;
  useEffect(() => {
    if (isUnchecked) toast('Error', 'Failed to check subscription status', 'destructive');
  }, [isUnchecked]);
  // Once the form stands, what is typed into it stays, whatever is asked for again.
  const wasReady = useRef(false);
  wasReady.current ||= hasChoices && Boolean(allowance || error) && Boolean(subscription.current || subscription.error);
  return (
    <Box maxW="form">
      <PageTitle title="Create Car Alert" subtitle="Get notified when a car that fits is listed on the marketplace." />
      <Flex direction="column" gap="5" mt="6">
        {/* The banner comes together with the fields: alone it would push what stands for them. */}
        {wasReady.current && allowance && !allowance.canCreateAlert && !isDismissed ? (
          <AlertLimitBanner
            used={allowance.alertsUsed}
            limit={allowance.alertLimit}
            onDismiss={() => setIsDismissed(true)}
          />
        ) : null}
        {/* Until it is decided what stands above the fields, they would jump under the first click. */}
        {wasReady.current ? (
          <AlertForm
            initialValues={initialValues}
            canText={isPaid(subscription.current?.planId ?? '1')}
            phoneConfirmed={viewer?.phoneConfirmed ?? false}
            onSave={save}
            onFailure={fail}
          />
        ) : (
          <AlertFormSkeleton />
        )}
      </Flex>
    </Box>
  );
}
