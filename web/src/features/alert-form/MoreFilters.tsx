import { chakra, Flex, Grid } from '@chakra-ui/react';
import { filterNames } from '@lotwatch/api/forms/alert';
import { type FilterKind, filterKinds, filterWords } from '@lotwatch/api/forms/filter-values';
import { useFormikContext } from 'formik';
import { useState } from 'react';
import { Field } from '../../ui/form/Field.tsx';
import { FormField, isServerErrors, useServerError } from '../../ui/form/FormField.tsx';
import { Select, TextInput } from '../../ui/form/inputs.tsx';
import { NumberInput } from '../../ui/form/NumberInput.tsx';
import { Badge } from '../../ui/parts/Card.tsx';
import { Disclosure } from '../../ui/parts/Disclosure.tsx';
import { Flag } from './AlertFormFields.tsx';
import { type AlertFormValues } from './alert-form-values.ts';
import { countFilters, kindOptions, wordsOf } from './filter-values.ts';
import { MoreModels } from './MoreModels.tsx';

const two = { base: '1fr', sm: '1fr 1fr' } as const;

/** The further filters, folded away until one is set or has an error. */
export function MoreFilters() {
  const { values, errors, touched, status } = useFormikContext<AlertFormValues>();
  const count = countFilters(values);
  const serverErrors = isServerErrors(status) ? Object.keys(status) : [];
  const hasError = filterNames.some((name) => (touched[name] && errors[name]) || serverErrors.includes(name));
  const [choice, setChoice] = useState<boolean>();
  const isOpen = hasError || (choice ?? count > 0);
  return (
    <Disclosure
      inForm
      title="More filters"
      mark={count > 0 ? <Badge tone="brand">{count} set</Badge> : null}
      open={isOpen}
      onToggle={setChoice}
    >
      {isOpen ? <Filters /> : null}
    </Disclosure>
  );
}

function Filters() {
  return (
    <Flex direction="column" gap="5">
      <MoreModels />
      <Grid templateColumns={two} columnGap="4" rowGap="4" alignItems="start">
        <MileageField />
        <StatedPriceField />
        {filterKinds.map((kind) => (
          <KindField key={kind} kind={kind} />
        ))}
      </Grid>
      <chakra.p mt="-1" fontSize="xs" color="muted">
        A car whose seller does not say its transmission, fuel, drive, body, title status or seller still matches, and
        the match says so.
      </chakra.p>
      <Grid templateColumns={two} columnGap="4" rowGap="4" alignItems="start">
        <WordsField name="excludeWords" label="Words to leave out" placeholder="parts, as is" />
        <WordsField name="requireWords" label="Words to demand" placeholder="one owner" />
      </Grid>
      <div>
        <Flag name="belowFairPrice" label="Only below the fair price" />
        <chakra.p mt="1" ps="30px" fontSize="xs" color="muted">
          Cars rated Good price or Great price. Where too few similar cars are known to tell, a car won't match.
        </chakra.p>
      </div>
    </Flex>
  );
}

function MileageField() {
  const { values } = useFormikContext<AlertFormValues>();
  return (
    <FormField
      name="mileageMax"
      label="Mileage up to"
      hint={values.mileageMax === '' ? undefined : "A car without a stated mileage won't match."}
    >
      {(control, setValue) => (
        <chakra.div position="relative">
          <NumberInput {...control} pr="14" placeholder="Any" onValue={setValue} />
          <chakra.span aria-hidden position="absolute" right="3.5" top="50%" transform="translateY(-50%)" color="muted">
            miles
          </chakra.span>
        </chakra.div>
      )}
    </FormField>
  );
}

function KindField({ kind }: { kind: FilterKind }) {
  return (
    <FormField name={kind} label={filterWords[kind]}>
      {(control) => <Select {...control} options={kindOptions(kind)} placeholder="Any" meanwhile={control.value} />}
    </FormField>
  );
}

const statedOptions = [
  { value: 'true', label: 'Only with a stated price' },
  { value: 'false', label: 'Also without a stated price' },
];

function StatedPriceField() {
  const { values, setFieldValue } = useFormikContext<AlertFormValues>();
  const [error, clearError] = useServerError('priceStated');
  return (
    <Field label="Stated price" error={error}>
      {(control) => (
        <Select
          {...control}
          name="priceStated"
          options={statedOptions}
          placeholder="As the price range asks"
          value={values.priceStated == null ? '' : String(values.priceStated)}
          onChange={(event) => {
            clearError();
            const { value } = event.currentTarget;
            void setFieldValue('priceStated', value === '' ? null : value === 'true');
          }}
        />
      )}
    </Field>
  );
}

interface WordsFieldProps {
  name: 'excludeWords' | 'requireWords';
  label: string;
  placeholder: string;
}

/** Words separated by commas, which the form holds as a list. */
function WordsField({ name, label, placeholder }: WordsFieldProps) {
  const { values, errors, touched, setFieldValue, setFieldTouched } = useFormikContext<AlertFormValues>();
  const [serverError, clearError] = useServerError(name);
  const words = values[name] ?? [];
  const [typed, setTyped] = useState(words.join(', '));
  // A wish, or an undone one, changes the words from outside.
  const text = (wordsOf(typed) ?? []).join() === words.join() ? typed : words.join(', ');
  const error = touched[name] ? errors[name] : undefined;
  return (
    <Field label={label} error={error ?? serverError} hint="In the seller's title or the trim, separated by commas.">
      {(control) => (
        <TextInput
          {...control}
          name={name}
          value={text}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="none"
          onBlur={() => void setFieldTouched(name, true)}
          onChange={(event) => {
            clearError();
            setTyped(event.currentTarget.value);
            void setFieldValue(name, wordsOf(event.currentTarget.value));
          }}
        />
      )}
    </Field>
  );
}
