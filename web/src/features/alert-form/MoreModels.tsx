import { chakra, Flex, Grid } from '@chakra-ui/react';
import { MAX_MODELS, modelNamed, plainModels } from '@lotwatch/api/forms/filter-values';
import { useFormikContext } from 'formik';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useCatalogue, vehicleLabel } from '../../lib/server/catalogue.ts';
import { announce } from '../../lib/state/announce.ts';
import { Field } from '../../ui/form/Field.tsx';
import { useServerError } from '../../ui/form/FormField.tsx';
import { Select } from '../../ui/form/inputs.tsx';
import { Chip } from '../../ui/parts/Card.tsx';
import type { AlertFormValues } from './alert-form-values.ts';

const Remove = chakra('button', {
  base: {
    display: 'grid',
    placeContent: 'center',
    position: 'relative',
    w: '20px',
    h: '20px',
    me: '-1',
    borderRadius: 'full',
    cursor: 'pointer',
    _after: { content: '""', position: 'absolute', inset: '-8px' },
    _hover: { bg: 'sunk' },
  },
});

/** Models that match beside the one above, also of other makes. */
export function MoreModels() {
  const catalogue = useCatalogue();
  const { values, errors, setFieldValue } = useFormikContext<AlertFormValues>();
  const [serverError, clearError] = useServerError('models');
  const [chosenMake, setMake] = useState('');
  const box = useRef<HTMLSelectElement>(null);
  const make = chosenMake || values.make;
  const models = values.models ?? [];
  const labelOf = (name: string) => {
    const car = modelNamed(values.make, name);
    return vehicleLabel(catalogue, car.make, car.model);
  };
  function change(next: readonly string[], said: string) {
    clearError();
    const plain = plainModels(values.make, next).filter((name) => name !== values.model);
    void setFieldValue('models', plain.length > 0 ? plain : null);
    announce(said);
  }
  if (values.model === '') {
    return (
      <chakra.p fontSize="xs" color="muted">
        To look for several models, choose the first one above. With any model, all of the make match.
      </chakra.p>
    );
  }
  const isFull = models.length >= MAX_MODELS;
  const options = catalogue?.makes.find(({ value }) => value === make)?.models ?? [];
  const error = typeof errors.models === 'string' ? errors.models : undefined;
  return (
    <Flex direction="column" gap="2.5">
      <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4" alignItems="start">
        <Field label="Also of make">
          {(control) => (
            <Select
              {...control}
              options={catalogue?.makes ?? []}
              value={make}
              onChange={(event) => setMake(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field
          label="Also this model"
          error={error ?? serverError}
          hint={isFull ? `At most ${MAX_MODELS} models beside the first.` : undefined}
        >
          {(control) => (
            <Select
              {...control}
              ref={box}
              options={options}
              placeholder="Add a model"
              value=""
              disabled={isFull}
              onChange={(event) => {
                const { value } = event.currentTarget;
                if (value) change([...models, `${make}/${value}`], `${vehicleLabel(catalogue, make, value)} is added.`);
              }}
            />
          )}
        </Field>
      </Grid>
      {models.length > 0 ? (
        <chakra.ul aria-label="Further models" display="flex" flexWrap="wrap" gap="2" listStyleType="none" m="0" p="0">
          {models.map((name) => (
            <li key={name}>
              <Chip>
                {labelOf(name)}
                <Remove
                  type="button"
                  aria-label={`Remove ${labelOf(name)}`}
                  onClick={() => {
                    change(
                      models.filter((one) => one !== name),
                      `${labelOf(name)} is removed.`,
                    );
                    box.current?.focus();
                  }}
                >
                  <X size={13} aria-hidden />
                </Remove>
              </Chip>
            </li>
          ))}
        </chakra.ul>
      ) : null}
    </Flex>
  );
}
