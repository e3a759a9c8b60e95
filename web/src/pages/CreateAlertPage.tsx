import { useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { AlertForm } from '../features/alert-form/AlertForm.tsx';
import { AlertFormSkeleton } from '../features/alert-form/AlertFormSkeleton.tsx';
import { AlertLimitBanner } from '../features/alert-form/AlertLimitBanner.tsx';
import { alertFormDefaults } from '../features/alert-form/alert-form-values.ts';
import { useCreateAlert } from '../features/alert-form/use-save-alert.ts';
import { dropWaitingAlert, readWaitingAlert } from '../features/alert-form/waiting-alert.ts';
import { graphql } from '../gql/gql.ts';
import { useAllowance } from '../lib/server/allowance.ts';
import { useCatalogue, useCatalogueRetry } from '../lib/server/catalogue.ts';
import { toast } from '../lib/state/toasts.ts';
import { PageTitle } from '../ui/parts/PageTitle.tsx';

const CreateAlertPageDocument = graphql(`
  query CreateAlertPage {
    currentSubscription {
      planId
    }
  }
`);

export function CreateAlertPage() {
  const { data } = useQuery(CreateAlertPageDocument);
  const { allowance, error } = useAllowance();
  const hasFailed = useCatalogueRetry() !== undefined;
  const hasChoices = useCatalogue() !== undefined || hasFailed;
  const [isDismissed, setIsDismissed] = useState(false);
  const [initialValues] = useState(() => readWaitingAlert() ?? alertFormDefaults);
  const { save, fail } = useCreateAlert();
  // Read once: a second visit starts from the defaults.
  useEffect(() => dropWaitingAlert(), []);
  useEffect(() => {
    if (error) toast('Error', 'Failed to check subscription status', 'destructive');
  }, [error]);
  return (
    <Box maxW="form">
      <PageTitle title="Create Car Alert" subtitle="Get notified when a car that fits is listed on the marketplace." />
      <Flex direction="column" gap="5" mt="6">
        {allowance && !allowance.canCreateAlert && !isDismissed ? (
          <AlertLimitBanner
            used={allowance.alertsUsed}
            limit={allowance.alertLimit}
            onDismiss={() => setIsDismissed(true)}
          />
        ) : null}
        {/* A banner or a notice comes above the fields: until that is decided, they would jump under the first click. */}
        {(allowance || error) && hasChoices ? (
          <AlertForm
            initialValues={initialValues}
            canText={Number(data?.currentSubscription.planId ?? 1) > 1}
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
