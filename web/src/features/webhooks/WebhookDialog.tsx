import { Box, chakra } from '@chakra-ui/react';
import { webhookSchema } from '@lotwatch/api/forms/webhook';
import { useId } from 'react';
import type { Fault } from '../../lib/server/faults/errors.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { FormField, isServerErrors } from '../../ui/form/FormField.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import type { WebhookFields } from './use-webhook-actions.ts';
import type { Webhook } from './webhook-documents.ts';
import { eventChoices } from './webhook-words.ts';

interface WebhookDialogProps {
  /** The one that is changed; without it one is made. */
  webhook?: Webhook;
  save: (fields: WebhookFields) => Promise<Fault | null>;
  onClose: () => void;
}

/** Where events go, and which. */
export function WebhookDialog({ webhook, save, onClose }: WebhookDialogProps) {
  const initial: WebhookFields = {
    url: webhook?.url ?? '',
    events: webhook ? [...webhook.events] : ['match.created'],
    description: webhook?.description ?? '',
  };
  return (
    <FormDialog
      title={webhook ? 'Edit the webhook' : 'Add a webhook'}
      button={{ text: webhook ? 'Save' : 'Add Webhook', busy: 'Saving...' }}
      initial={initial}
      schema={webhookSchema}
      save={({ url, events, description }) => save({ url: url.trim(), events, description: description.trim() })}
      onClose={onClose}
    >
      {({ values, setFieldValue, errors, touched, status, setStatus }) => (
        <>
          <FormField name="url" label="Address" required hint="We post JSON there. It must answer within 10 seconds.">
            {(control) => (
              <TextInput
                {...control}
                type="url"
                inputMode="url"
                autoComplete="off"
                placeholder="https://your-server.example/lotwatch"
              />
            )}
          </FormField>
          <Events
            chosen={values.events}
            error={
              (touched.events && typeof errors.events === 'string' ? errors.events : undefined) ??
              (isServerErrors(status) ? status.events : undefined)
            }
            onChange={(events) => {
              setStatus(undefined);
              void setFieldValue('events', events);
            }}
          />
          <FormField name="description" label="Note" optional>
            {(control) => <TextInput {...control} autoComplete="off" />}
          </FormField>
        </>
      )}
    </FormDialog>
  );
}

interface EventsProps {
  chosen: readonly string[];
  error: string | undefined;
  onChange: (events: string[]) => void;
}

function Events({ chosen, error, onChange }: EventsProps) {
  const errorId = useId();
  return (
    <chakra.fieldset border="0" p="0" m="0" minW="0" aria-describedby={error ? errorId : undefined}>
      <chakra.legend fontSize="xs" fontWeight="600" mb="1" p="0" color={error ? 'bad' : 'ink'}>
        Events
      </chakra.legend>
      {eventChoices.map(({ type, label, hint }) => (
        <Checkbox
          key={type}
          label={label}
          hint={hint}
          checked={chosen.includes(type)}
          onChange={(checked) => onChange(checked ? [...chosen, type] : chosen.filter((one) => one !== type))}
        />
      ))}
      {error ? (
        <Box id={errorId} role="alert" mt="1" fontSize="xs" color="bad" fontWeight="500">
          {error}
        </Box>
      ) : null}
    </chakra.fieldset>
  );
}
