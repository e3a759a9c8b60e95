import { Box, chakra } from '@chakra-ui/react';
import { deletionNotesSchema } from '@lotwatch/api/forms/deletion-request';
import { string } from 'yup';
import type { DeletionStatus } from '../../../gql/graphql.ts';
import type { Fault } from '../../../lib/server/faults/errors.ts';
import { deletionStatuses, deletionStatusText } from '../../../lib/text/deletion-status.ts';
import { FormDialog } from '../../../ui/form/FormDialog.tsx';
import { FormField } from '../../../ui/form/FormField.tsx';
import { Select, TextArea } from '../../../ui/form/inputs.tsx';
import { type DeletionRequest, isChoosable, isClosed, requesterText } from './deletion-words.ts';

const schema = deletionNotesSchema.shape({ status: string().required('Please select a status.') });

interface UpdateDialogProps {
  request: DeletionRequest;
  onClose: () => void;
  onUpdate: (status: DeletionStatus, notes: string) => Promise<Fault | null>;
}

/** What a request says, and what the admin decides about it. A closed one can only be read. */
export function UpdateDialog({ request, onClose, onUpdate }: UpdateDialogProps) {
  const closed = isClosed(request);
  const initial = { status: closed ? request.status : '', notes: request.notes ?? '' };
  const save = async (values: typeof initial) => {
    const status = deletionStatuses.find((one) => one === values.status);
    if (!status) return null;
    const fault = await onUpdate(status, values.notes.trim());
    // A toast has reported what isn't about a field.
    return fault && Object.keys(fault.fields).length > 0 ? fault : null;
  };
  return (
    <FormDialog
      title={closed ? 'Deletion Request' : 'Update Deletion Request'}
      name="Update deletion request"
      button={closed ? null : { text: 'Save', busy: 'Saving...' }}
      initial={initial}
      schema={schema}
      save={save}
      onClose={onClose}
    >
      {() => (
        <>
          <chakra.dl m="0" display="grid" gap="3" gridTemplateColumns="1fr 1fr">
            <Fact name="Request ID" value={request.requestId} />
            <Fact name="User" value={requesterText(request)} />
          </chakra.dl>
          {request.reason ? (
            <Box>
              <chakra.h3 fontSize="xs" color="muted">
                Reason
              </chakra.h3>
              <chakra.p
                maxH="140px"
                overflowY="auto"
                tabIndex={0}
                whiteSpace="pre-wrap"
                overflowWrap="anywhere"
                fontSize="sm"
              >
                {request.reason}
              </chakra.p>
            </Box>
          ) : null}
          <FormField
            name="status"
            label="Status"
            required
            hint={closed ? 'This request is closed.' : 'To complete an approved request, execute it.'}
          >
            {(control) => (
              <Select
                {...control}
                disabled={closed}
                placeholder="Select a status"
                options={deletionStatuses.map((status) => ({
                  value: status,
                  label: deletionStatusText(status),
                  disabled: !isChoosable(request, status),
                }))}
              />
            )}
          </FormField>
          <FormField name="notes" label="Notes" optional hint="The user can read them.">
            {(control) => <TextArea {...control} rows={3} disabled={closed} />}
          </FormField>
        </>
      )}
    </FormDialog>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <Box minW="0">
      <chakra.dt fontSize="xs" color="muted">
        {name}
      </chakra.dt>
      <chakra.dd m="0" fontWeight="650" overflowWrap="anywhere">
        {value}
      </chakra.dd>
    </Box>
  );
}
