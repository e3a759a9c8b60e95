import { Grid } from '@chakra-ui/react';
import { Field } from '../../ui/form/Field.tsx';
import { Select } from '../../ui/form/inputs.tsx';
import { codes, codeText } from './admin-words.ts';

export interface QuarantineChoice {
  /** Empty for all values. */
  source: string;
  code: string;
}

interface QuarantineFilterProps {
  sources: readonly string[];
  choice: QuarantineChoice;
  onChoose: (choice: QuarantineChoice) => void;
}

/** Chooses the records that are shown and can be retried together. */
export function QuarantineFilter({ sources, choice, onChoose }: QuarantineFilterProps) {
  return (
    <Grid templateColumns={{ base: 'repeat(2, minmax(0, 1fr))', md: '240px 240px' }} gap="3">
      <Field label="Source">
        {(control) => (
          <Select
            {...control}
            value={choice.source}
            placeholder="All sources"
            meanwhile={choice.source}
            options={sources.map((name) => ({ value: name, label: name }))}
            onChange={(event) => onChoose({ ...choice, source: event.target.value })}
          />
        )}
      </Field>
      <Field label="Reason">
        {(control) => (
          <Select
            {...control}
            value={choice.code}
            placeholder="All reasons"
            options={codes.map((code) => ({ value: code, label: codeText(code) }))}
            onChange={(event) => onChoose({ ...choice, code: event.target.value })}
          />
        )}
      </Field>
    </Grid>
  );
}
