import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import { Field } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/inputs.tsx';
import { ConfirmDialog } from '../../ui/parts/ConfirmDialog.tsx';
import type { ApiKey } from './api-key-documents.ts';
import type { KeyActions } from './use-key-actions.ts';

const overlaps = [
  { value: '24', label: '24 more hours' },
  { value: '1', label: '1 more hour' },
  { value: '168', label: '7 more days' },
  { value: '0', label: 'No longer' },
];

interface RotateKeyDialogProps {
  apiKey: ApiKey;
  rotate: KeyActions['rotate'];
  onClose: () => void;
}

/** Puts a new key in the place of another, which works on while programs are changed over. */
export function RotateKeyDialog({ apiKey, rotate, onClose }: RotateKeyDialogProps) {
  const [overlap, setOverlap] = useState('24');
  return (
    <ConfirmDialog
      title={`Rotate “${apiKey.name}”`}
      button="Rotate Key"
      acting="Rotating..."
      act={() => rotate(apiKey, Number(overlap))}
      onClose={onClose}
    >
      You get a new key with the same name and access. Change your program to it before the old one ends.
      <Box mt="4" color="ink">
        <Field label="The old key works">
          {(control) => (
            <Select
              {...control}
              value={overlap}
              options={overlaps}
              onChange={(event) => setOverlap(event.currentTarget.value)}
            />
          )}
        </Field>
      </Box>
    </ConfirmDialog>
  );
}
