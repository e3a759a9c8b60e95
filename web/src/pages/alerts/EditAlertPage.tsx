import { useQuery } from '@apollo/client/react';
import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { useViewer } from '../../features/account/viewer.ts';
import { AlertForm } from '../../features/alert-form/AlertForm.tsx';
import { fromAlert } from '../../features/alert-form/alert-form-values.ts';
import { useUpdateAlert } from '../../features/alert-form/use-save-alert.ts';
import { isPaid } from '../../features/billing/subscription.ts';
import { PreviewPanel } from '../../features/preview/PreviewPanel.tsx';
import { readEditState } from '../../features/preview/step-to-edit.ts';
import { graphql } from '../../gql/gql.ts';
import type { EditAlertPageQuery } from '../../gql/graphql.ts';
import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { isAlertId } from '../../lib/text/alert-id.ts';
import { LinkButton } from '../../ui/parts/Button.tsx';
import { PageTitle, useDocumentTitle } from '../../ui/parts/PageTitle.tsx';
import { ErrorPanel, Spinner } from '../../ui/parts/states.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';

const EditAlertPageDocument = graphql(`
  query EditAlertPage($id: ID!) {
    alert(id: $id) {
      id
      ...AlertForm_alert
    }
    currentSubscription {
      planId
    }
  }
`);

export function EditAlertPage() {
  useDocumentTitle('Edit Car Alert');
  const { id = '' } = useParams();
  const result = useQuery(EditAlertPageDocument, { variables: { id }, skip: !isAlertId(id) });
  const error = useFailure(result);
  const { data } = result;
  if (result.loading && !data && !error) {
    return (
      <>
        <VisuallyHidden as="h1">Edit Car Alert</VisuallyHidden>
        <Spinner page label="Loading alert" />
      </>
    );
  }
  if (!data?.alert) {
    const isMissing = !error || readFault(error).code === 'NOT_FOUND';
    return <AlertMissing onRetry={isMissing ? undefined : () => result.refetch()} />;
  }
  return <EditAlert key={id} alert={data.alert} canText={isPaid(data.currentSubscription.planId)} />;
}

type EditedAlert = NonNullable<EditAlertPageQuery['alert']>;

function EditAlert({ alert, canText }: { alert: EditedAlert; canText: boolean }) {
  const { viewer } = useViewer();
  const catalogue = useCatalogue();
  const { save, fail } = useUpdateAlert(alert.id);
  const { state } = useLocation();
  // Read once: what is saved is not changed again.
  const [{ saved, step }] = useState(() => {
    const values = fromAlert(alert);
    return { saved: values, step: readEditState(state, values) };
  });
  return (
    <Box maxW={{ base: 'form', xl: 'none' }}>
      <PageTitle title="Edit Car Alert" subtitle={`Update your alert for ${askedLabel(catalogue, alert)}`} />
      <Box mt="6">
        <AlertForm
          alertId={alert.id}
          initialValues={{ ...saved, ...step?.changes }}
          beside={<PreviewPanel began={step && { step, from: saved }} />}
          canText={canText}
          phoneConfirmed={viewer?.phoneConfirmed ?? false}
          onSave={save}
          onFailure={fail}
        />
      </Box>
    </Box>
  );
}

function AlertMissing({ onRetry }: { onRetry: (() => Promise<unknown>) | undefined }) {
  return (
    <Box maxW="form">
      <VisuallyHidden as="h1">Edit Car Alert</VisuallyHidden>
      <ErrorPanel
        title="Error loading alert"
        onRetry={onRetry}
        back={
          <>
            <LinkButton to="/my-alerts" variant="outline">
              My Alerts
            </LinkButton>
            <LinkButton to="/create-alert">Create Alert</LinkButton>
          </>
        }
      >
        We couldn't find the alert you're looking for. Please try again or create a new alert.
      </ErrorPanel>
    </Box>
  );
}
