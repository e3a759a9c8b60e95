import { Box, Flex, Grid } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useViewer, type Viewer } from '../../features/account/viewer.ts';
import { AlertForm } from '../../features/alert-form/AlertForm.tsx';
import { AlertFormLayout } from '../../features/alert-form/AlertFormLayout.tsx';
import {
  type AlertFormValues,
  alertFormDefaults,
  fromAlertDefaults,
} from '../../features/alert-form/alert-form-values.ts';
import { clearDraftAlert, readDraftAlert } from '../../features/alert-form/draft-alert.ts';
import { usePausableAlert } from '../../features/alert-form/use-pausable-alert.ts';
import { useCreateAlert } from '../../features/alert-form/use-save-alert.ts';
import { isPaid, useCurrentSubscription } from '../../features/billing/subscription.ts';
import { PreviewPanel } from '../../features/preview/PreviewPanel.tsx';
import { useAlertQuota } from '../../lib/server/alert-quota.ts';
import { useCatalogue, useCatalogueRetry } from '../../lib/server/catalogue.ts';
import { toast } from '../../lib/state/toasts.ts';
import { Button, LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { LoadingNote, Skeleton } from '../../ui/parts/states.tsx';

export function CreateAlertPage() {
  const { viewer } = useViewer();
  const subscription = useCurrentSubscription();
  const { quota, error } = useAlertQuota();
  const isFull = quota !== undefined && quota.alertsUsed >= quota.alertLimit;
  const { pausable, loading: isAsking } = usePausableAlert(isFull);
  const hasFailed = useCatalogueRetry() !== undefined;
  const hasChoices = useCatalogue() !== undefined || hasFailed;
  const [isDismissed, setIsDismissed] = useState(false);
  const [initialValues] = useState(() => {
    const defaults = formDefaultsOf(viewer);
    return readDraftAlert(defaults) ?? defaults;
  });
  const { save, fail } = useCreateAlert();
  // Read once: a second visit starts from the defaults.
  useEffect(() => clearDraftAlert(), []);
  const isUnchecked = error !== undefined;
  useEffect(() => {
    if (isUnchecked) toast('Error', 'Failed to check subscription status', 'destructive');
  }, [isUnchecked]);
  // Once the form is shown, it stays mounted so that typed text survives refetches.
  const wasReady = useRef(false);
  wasReady.current ||=
    hasChoices && Boolean(quota || error) && !isAsking && Boolean(subscription.current || subscription.error);
  return (
    <Box maxW={{ base: 'form', xl: 'none' }}>
      <PageTitle title="Create Car Alert" subtitle="Get notified when a matching car is listed on the marketplace." />
      <Flex direction="column" gap="5" mt="6">
        {/* The banner is shown together with the fields; otherwise it would move their placeholders. */}
        {wasReady.current && quota && !quota.canCreateAlert && !isDismissed ? (
          <AlertLimitBanner used={quota.alertsUsed} limit={quota.alertLimit} onDismiss={() => setIsDismissed(true)} />
        ) : null}
        {/* The fields are shown only when the content above them is known; otherwise they would move under a click. */}
        {wasReady.current ? (
          <AlertForm
            initialValues={initialValues}
            beside={<PreviewPanel />}
            canText={isPaid(subscription.current?.planId ?? '1')}
            phoneConfirmed={viewer?.phoneConfirmed ?? false}
            pausable={pausable}
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

/** With the account's choice for new alerts; without texts when its plan has none any more. */
function formDefaultsOf(viewer: Viewer | null): AlertFormValues {
  if (!viewer) return alertFormDefaults;
  const chosen = fromAlertDefaults(viewer.alertDefaults);
  const textNotifications = chosen.textNotifications && isPaid(viewer.subscription.planId);
  return { ...alertFormDefaults, ...chosen, textNotifications };
}

/** Placeholders of the form while it isn't known whether a banner is shown above it. */
function AlertFormSkeleton() {
  return (
    <>
      <LoadingNote>Loading the form</LoadingNote>
      <AlertFormLayout beside={<Skeleton h="92px" borderRadius="card" />}>
        <Card pad="lg" aria-hidden display="flex" flexDirection="column" gap="8" animation="appear 1ms 150ms both">
          {['car', 'where', 'price', 'notifications'].map((section) => (
            <Flex key={section} direction="column" gap="4">
              <Skeleton h="24px" w="120px" />
              <Grid templateColumns="1fr 1fr" gap="4">
                <Skeleton h="72px" borderRadius="field" />
                <Skeleton h="72px" borderRadius="field" />
              </Grid>
            </Flex>
          ))}
        </Card>
      </AlertFormLayout>
    </>
  );
}

interface AlertLimitBannerProps {
  used: number;
  limit: number;
  onDismiss: () => void;
}

/** Above the create form when the plan allows no further alert. */
function AlertLimitBanner({ used, limit, onDismiss }: AlertLimitBannerProps) {
  return (
    <Card as="section" role="status" edge="bad" maxW="form" aria-label="Alert Limit Reached">
      <Flex gap="3" align="flex-start">
        <Box color="bad" pt="0.5">
          <CircleAlert size={20} aria-hidden />
        </Box>
        <Box>
          <Heading as="h2" size="md">
            Alert Limit Reached
          </Heading>
          <Muted mt="1" textWrap="balance">
            You've reached the maximum number of alerts for your current subscription plan ({used} of {limit}).
          </Muted>
          <Flex gap="3" mt="4" wrap="wrap">
            <LinkButton to="/subscription">Upgrade Subscription</LinkButton>
            <Button variant="outline" onClick={onDismiss}>
              Dismiss
            </Button>
          </Flex>
        </Box>
      </Flex>
    </Card>
  );
}
