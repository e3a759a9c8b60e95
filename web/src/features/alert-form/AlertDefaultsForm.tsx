import { useMutation } from '@apollo/client/react';
import { alertDefaultsSchema } from '@lotwatch/api/forms/alert';
import { graphql } from '../../gql/gql.ts';
import type { Viewer_UserFragment } from '../../gql/graphql.ts';
import { toast } from '../../lib/state/toasts.ts';
import { ServerForm } from '../../ui/form/ServerForm.tsx';
import { BusyButton } from '../../ui/parts/Button.tsx';
import { Card } from '../../ui/parts/Card.tsx';
import { fromAlertDefaults, toAlertDefaults } from './alert-form-values.ts';
import { NotificationFields } from './NotificationFields.tsx';

const UpdateAlertDefaultsDocument = graphql(`
  mutation UpdateAlertDefaults($input: AlertDefaultsInput!) {
    updateAlertDefaults(input: $input) {
      id
      ...AlertDefaults_user
    }
  }
`);

interface AlertDefaultsFormProps {
  viewer: Pick<Viewer_UserFragment, 'alertDefaults' | 'phoneConfirmed'>;
  /** Whether the plan allows text messages. */
  canText: boolean;
}

/** How new alerts notify, unless their form says otherwise. */
export function AlertDefaultsForm({ viewer, canText }: AlertDefaultsFormProps) {
  const [update] = useMutation(UpdateAlertDefaultsDocument);
  return (
    <Card pad="lg">
      <ServerForm
        name="New alerts"
        initial={fromAlertDefaults(viewer.alertDefaults)}
        schema={alertDefaultsSchema}
        save={async (values) => {
          await update({ variables: { input: toAlertDefaults(values) } });
          toast('Saved', 'New alerts begin with this choice.');
        }}
      >
        {({ isSubmitting }) => (
          <>
            <NotificationFields canText={canText} phoneConfirmed={viewer.phoneConfirmed} />
            <BusyButton type="submit" isBusy={isSubmitting} alignSelf="flex-start">
              Save
            </BusyButton>
          </>
        )}
      </ServerForm>
    </Card>
  );
}
