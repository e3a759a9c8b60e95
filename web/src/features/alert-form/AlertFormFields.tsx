import { chakra, Flex, Grid } from '@chakra-ui/react';
import { useFormikContext } from 'formik';
import { slugWords, useCatalogue, useCatalogueRetry } from '../../lib/server/catalogue.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { FormField } from '../../ui/form/FormField.tsx';
import { Select } from '../../ui/form/inputs.tsx';
import { NumberInput } from '../../ui/form/NumberInput.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { type AlertFormValues, unpricedHint } from './alert-form-values.ts';
import { PlaceInput } from './PlaceInput.tsx';

const pair = { base: '1fr 1fr' } as const;
/** On a phone a place needs more room than a distance; both show whole. */
const placePair = { base: '5fr 4fr', md: '1fr 1fr' } as const;
/** On the smallest phones two would cut each other's words off. */
const oneBelow = { '@media (max-width: 359px)': { gridTemplateColumns: '1fr' } } as const;
const wideGap = { base: '3.5', md: '4' } as const;

/** Reports that the catalogue could not be loaded, and offers to try again. */
export function CatalogueNotice() {
  const retry = useCatalogueRetry();
  if (!retry) return null;
  return (
    <Flex role="alert" align="center" justify="space-between" gap="3" px="4" py="2" borderRadius="field" bg="badSoft">
      <chakra.span fontSize="sm" color="bad">
        We couldn't load the makes and models.
      </chakra.span>
      <Button variant="outline" size="sm" flexShrink={0} onClick={retry}>
        Try Again
      </Button>
    </Flex>
  );
}

/** Make → model; choosing a make clears the model. */
export function CarFields() {
  const catalogue = useCatalogue();
  const hasFailed = useCatalogueRetry() !== undefined;
  const { values, setFieldValue } = useFormikContext<AlertFormValues>();
  const models = catalogue?.makes.find((make) => make.value === values.make)?.models ?? [];
  return (
    <Grid templateColumns={pair} gap={wideGap} css={oneBelow}>
      <FormField name="make" label="Make" required>
        {(control, setValue) => (
          <Select
            {...control}
            options={catalogue?.makes ?? []}
            placeholder={catalogue || hasFailed ? 'Select make' : 'Loading…'}
            meanwhile={slugWords(values.make)}
            onChange={(event) => {
              setValue(event.currentTarget.value);
              void setFieldValue('model', '');
              void setFieldValue('models', null);
            }}
          />
        )}
      </FormField>
      <FormField name="model" label="Model">
        {(control, setValue) => (
          <Select
            {...control}
            onChange={(event) => {
              setValue(event.currentTarget.value);
              // Any model needs no further ones.
              if (event.currentTarget.value === '') void setFieldValue('models', null);
            }}
            options={models}
            placeholder={values.make ? 'Any model' : 'Select make first'}
            meanwhile={slugWords(values.model)}
            disabled={values.make === ''}
          />
        )}
      </FormField>
    </Grid>
  );
}

export function YearFields() {
  const years = useCatalogue()?.years ?? [];
  return (
    <Grid templateColumns={pair} gap={wideGap} css={oneBelow}>
      <YearField name="yearMin" label="From year" years={years} />
      <YearField name="yearMax" label="To year" years={years} />
    </Grid>
  );
}

interface YearFieldProps {
  name: string;
  label: string;
  years: readonly { value: string; label: string }[];
}

function YearField({ name, label, years }: YearFieldProps) {
  return (
    <FormField name={name} label={label}>
      {(control) => (
        <Select
          {...control}
          options={years}
          placeholder="Any"
          // An alert made over the API may hold a year that the list doesn't.
          meanwhile={control.value}
        />
      )}
    </FormField>
  );
}

export function PlaceFields() {
  const distances = useCatalogue()?.distances ?? [];
  const { values } = useFormikContext<AlertFormValues>();
  return (
    <Grid templateColumns={placePair} gap={wideGap} css={oneBelow}>
      <FormField name="location" label="Location" required>
        {(control, setValue) => <PlaceInput {...control} onChange={setValue} />}
      </FormField>
      <FormField
        name="radius"
        label="Within"
        required
        hint={values.radius === 'any' ? 'We search within 100 miles, the largest radius.' : undefined}
      >
        {(control) => (
          <Select
            {...control}
            options={distances}
            placeholder="Select distance"
            meanwhile={values.radius === 'any' ? 'Any' : `${values.radius} miles`}
          />
        )}
      </FormField>
    </Grid>
  );
}

export function PriceFields() {
  const { values } = useFormikContext<AlertFormValues>();
  const hint = unpricedHint(values);
  return (
    <div>
      <Grid templateColumns={pair} gap={wideGap} css={oneBelow}>
        <PriceField name="priceMin" label="Price from" placeholder="0" />
        <PriceField name="priceMax" label="Price to" placeholder="Any" />
      </Grid>
      {hint ? (
        <chakra.p mt="1.5" fontSize="xs" color="muted">
          {hint}
        </chakra.p>
      ) : null}
    </div>
  );
}

function PriceField({ name, label, placeholder }: { name: string; label: string; placeholder: string }) {
  return (
    <FormField name={name} label={label}>
      {(control, setValue) => (
        <chakra.div position="relative">
          <chakra.span aria-hidden position="absolute" left="3.5" top="50%" transform="translateY(-50%)" color="muted">
            $
          </chakra.span>
          <NumberInput {...control} pl="7" placeholder={placeholder} onValue={setValue} />
        </chakra.div>
      )}
    </FormField>
  );
}

/** @param twoFrom the width of the window from which two fields stand in a row */
export function ColorAndPhotoFields({ twoFrom }: { twoFrom: 'sm' | 'md' }) {
  return (
    <Grid templateColumns={{ base: '1fr', [twoFrom]: '1fr 1fr' }} gap="4" alignItems="end">
      <ColorField />
      <Flag name="onlyWithImages" label="Only listings with images" />
    </Grid>
  );
}

function ColorField() {
  const colors = useCatalogue()?.colors ?? [];
  return (
    <FormField name="color" label="Color">
      {(control) => <Select {...control} options={colors} meanwhile={slugWords(control.value)} />}
    </FormField>
  );
}

type Flags = { [Name in keyof AlertFormValues as AlertFormValues[Name] extends boolean ? Name : never]: boolean };

interface FlagProps {
  name: keyof Flags;
  label: string;
}

/** A checkbox of the alert. */
export function Flag({ name, label }: FlagProps) {
  const { values, setFieldValue } = useFormikContext<AlertFormValues>();
  return (
    <Checkbox
      name={name}
      label={label}
      checked={values[name]}
      onChange={(checked) => void setFieldValue(name, checked)}
    />
  );
}
