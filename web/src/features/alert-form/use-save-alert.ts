import { useMutation } from '@apollo/client/react';
import { useNavigate } from 'react-router-dom';
import { graphql } from '../../gql/gql.ts';
import { AlertQuotaDocument } from '../../lib/server/alert-quota.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { alertFailure } from '../../lib/server/faults/fault-words.ts';
import { readNewCounts } from '../../lib/server/new-counts.ts';
import { forgetCreated, noteCreated } from '../../lib/state/new-cars.ts';
import { toast } from '../../lib/state/toasts.ts';
import { type AlertFormValues, toAlertInput, toAlertPatch } from './alert-form-values.ts';

const CreateAlertDocument = graphql(`
  mutation CreateAlert($input: AlertInput!, $pause: ID) {
    createAlert(input: $input, pause: $pause) {
      ...AlertFacts_alert
      ...AlertForm_alert
    }
  }
`);

const UpdateAlertDocument = graphql(`
  mutation UpdateAlert($id: ID!, $input: AlertPatch!) {
    updateAlert(id: $id, input: $input) {
      ...AlertFacts_alert
      ...AlertForm_alert
    }
  }
`);

interface SaveAlert {
  /** @param pause the id of an alert to switch off for a new one */
  save: (values: AlertFormValues, pause?: string) => Promise<void>;
  fail: (error: unknown) => void;
}

/** Never ends: a form stays busy, and can't be sent again, while the next page is on its way. */
const untilPageIsLeft = new Promise<never>(() => undefined);

/** Creates an alert, shows a toast and goes to /my-alerts. */
export function useCreateAlert(): SaveAlert {
  const [create, { client }] = useMutation(CreateAlertDocument);
  const navigate = useNavigate();
  return {
    async save(values, pause) {
      const input = toAlertInput(values);
      const { data } = await create({ variables: { input, ...(pause !== undefined && { pause }) } });
      if (data) noteCreated(data.createAlert.id);
      evictLists(client.cache);
      toast('Alert created', 'Your new alert has been created successfully.');
      void navigate('/my-alerts');
      await untilPageIsLeft;
    },
    fail(error) {
      if (readFault(error).needsUpgrade) {
        // A failing query reports itself.
        client.refetchQueries({ include: [AlertQuotaDocument] }).catch(() => undefined);
      }
      const { title, text } = alertFailure('create', error);
      toast(title, text, 'destructive');
    },
  };
}

/** Changes an alert, shows a toast and goes to /my-alerts. */
export function useUpdateAlert(alertId: string | undefined): SaveAlert {
  const [update, { client }] = useMutation(UpdateAlertDocument);
  const navigate = useNavigate();
  return {
    async save(values) {
      if (!alertId) throw new Error('Alert ID is required for updates');
      await update({ variables: { id: alertId, input: toAlertPatch(values) } });
      evictLists(client.cache);
      forgetCreated(alertId);
      void readNewCounts(client);
      toast('Alert updated', 'Your alert has been updated successfully.');
      void navigate('/my-alerts');
      await untilPageIsLeft;
    },
    fail(error) {
      const { title, text } = alertFailure('update', error);
      toast(title, text, 'destructive');
    },
  };
}

/** Evicts the lists that a written alert makes stale; the next page that shows them fetches them again. */
function evictLists(cache: { evict: (what: { id: string; fieldName: string }) => boolean }): void {
  for (const fieldName of ['alerts', 'canCreateAlert', 'matches']) {
    cache.evict({ id: 'ROOT_QUERY', fieldName });
  }
}
