import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import type { Fault } from '../../lib/server/faults/errors.ts';
import { Field } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/inputs.tsx';
import { ConfirmDialog } from '../../ui/parts/ConfirmDialog.tsx';

const spans = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last day' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
];

/** Asks from when on events are sent again. */
export function ReplayDialog({
  replay,
  onClose,
}: {
  replay: (hours: number) => Promise<Fault | null>;
  onClose: () => void;
}) {
  const [hours, setHours] = useState('24');
  return (
    <ConfirmDialog
      title="Send events again"
      button="Send Again"
      acting="Sending..."
      act={() => replay(Number(hours))}
      onClose={onClose}
    >
      Each keeps its id and cursor: a program that remembers ids takes none twice.
      <Box mt="4" color="ink">
        <Field label="Events of">
          {(control) => (
            <Select
              {...control}
              value={hours}
              options={spans}
              onChange={(event) => setHours(event.currentTarget.value)}
            />
          )}
        </Field>
      </Box>
    </ConfirmDialog>
  );
}
