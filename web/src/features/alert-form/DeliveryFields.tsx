import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import { deliveryWords, hourText, type QuietHours, weekdays } from '@lotwatch/api/forms/delivery';
import { useFormikContext } from 'formik';
import { useId } from 'react';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { FormField, useServerError } from '../../ui/form/FormField.tsx';
import { Select, TextInput } from '../../ui/form/inputs.tsx';
import { Disclosure } from '../../ui/parts/Disclosure.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import { Flag } from './AlertFormFields.tsx';
import type { DeliveryFormValues } from './alert-form-values.ts';
import { PushField } from './PushField.tsx';

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));
const everyDay = weekdays.map((_name, day) => day);
/** Weeks begin on Monday. */
const week = [1, 2, 3, 4, 5, 6, 0] as const;
const night: QuietHours = { from: '22:00', to: '07:00', days: everyDay };

/** What will happen, in one sentence. */
function words(values: DeliveryFormValues): string {
  const { maxMailsPerDay } = values;
  return deliveryWords({
    ...values,
    delivery: values.delivery === 'daily' ? 'daily' : 'instant',
    digestHour: Number(values.digestHour),
    maxMailsPerDay: maxMailsPerDay === '' ? null : Number(maxMailsPerDay),
  });
}

/** When messages leave: closed it is one sentence, open it has the fields. */
export function DeliveryFields() {
  const { values } = useFormikContext<DeliveryFormValues>();
  return (
    <Disclosure inForm title="How should we tell you?" hint={<span aria-live="polite">{words(values)}</span>}>
      <Flex direction="column" gap="4">
        <PushField />
        <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
          <FormField name="delivery" label="When">
            {(control) => <Select {...control} options={deliveries} />}
          </FormField>
          <LimitOrHour />
        </Grid>
        <QuietHoursFields />
        <Flag name="priceDrops" label="Price drops, and when a car you viewed is sold" />
      </Flex>
    </Disclosure>
  );
}

const deliveries = [
  { value: 'instant', label: 'At once' },
  { value: 'daily', label: 'Once a day' },
];

const limits = [1, 3, 5, 10, 20].map((count) => ({ value: String(count), label: `At most ${count} a day` }));

/** The hour of the digest; for messages that leave at once, how many mails there may be before the rest waits for it. */
function LimitOrHour() {
  const { values } = useFormikContext<DeliveryFormValues>();
  const isDaily = values.delivery === 'daily';
  return (
    <>
      {isDaily ? null : (
        <FormField name="maxMailsPerDay" label="Mails a day">
          {(control) => (
            <Select
              {...control}
              options={limits}
              placeholder="As many as there are"
              meanwhile={`At most ${control.value} a day`}
            />
          )}
        </FormField>
      )}
      {isDaily || values.maxMailsPerDay !== '' ? (
        <FormField name="digestHour" label={isDaily ? 'At' : 'The rest at'}>
          {(control) => <Select {...control} options={hours} />}
        </FormField>
      ) : null}
    </>
  );
}

function QuietHoursFields() {
  const { values, setFieldValue } = useFormikContext<DeliveryFormValues>();
  const { quietHours } = values;
  return (
    <Box>
      <Checkbox
        label="Quiet hours"
        checked={quietHours !== null}
        hint="Messages wait, and one summary comes at their end."
        onChange={(checked) => void setFieldValue('quietHours', checked ? night : null)}
      />
      {quietHours === null ? null : (
        <Flex direction="column" gap="3" pl={{ base: '0', sm: '8' }} pt="2">
          <Grid templateColumns="1fr 1fr" gap="3" maxW="320px">
            <TimeField name="from" label="From" />
            <TimeField name="to" label="To" />
          </Grid>
          <DayButtons />
        </Flex>
      )}
    </Box>
  );
}

function TimeField({ name, label }: { name: 'from' | 'to'; label: string }) {
  return (
    <FormField name={`quietHours.${name}`} label={label}>
      {(control) => <TextInput {...control} type="time" />}
    </FormField>
  );
}

function DayButtons() {
  const { values, errors, setFieldValue } = useFormikContext<DeliveryFormValues>();
  const [serverError, clearServerError] = useServerError('quietHours');
  const errorId = useId();
  const error = daysMessage(errors.quietHours) ?? serverError;
  const days = values.quietHours?.days ?? [];
  const toggle = (day: number) => {
    clearServerError();
    void setFieldValue('quietHours.days', days.includes(day) ? days.filter((other) => other !== day) : [...days, day]);
  };
  return (
    <Box>
      <chakra.p mb="1.5" fontSize="xs" fontWeight="600" aria-hidden>
        Beginning on
      </chakra.p>
      <Grid
        templateColumns="repeat(7, minmax(0, 44px))"
        gap={{ base: '1', sm: '1.5' }}
        role="group"
        aria-label="Days on which quiet hours begin"
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
      >
        {week.map((day) => (
          <chakra.button
            key={day}
            type="button"
            aria-pressed={days.includes(day)}
            onClick={() => toggle(day)}
            h="44px"
            borderRadius="field"
            borderWidth="1px"
            borderColor={error === undefined ? 'fieldLine' : 'bad'}
            fontSize="sm"
            fontWeight="500"
            cursor="pointer"
            bg="panel"
            _pressed={{ bg: 'brand', color: 'onBrand', borderColor: 'brand' }}
          >
            <span aria-hidden>{weekdays[day].slice(0, 2)}</span>
            <VisuallyHidden>{weekdays[day]}</VisuallyHidden>
          </chakra.button>
        ))}
      </Grid>
      {error === undefined ? null : (
        <chakra.p id={errorId} role="alert" mt="1.5" fontSize="xs" fontWeight="500" color="bad">
          {error}
        </chakra.p>
      )}
    </Box>
  );
}

/** The message about quiet hours as a whole or about their days; the times have their own. */
function daysMessage(error: unknown): string | undefined {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null || !('days' in error)) return undefined;
  const [message] = [error.days].flat();
  return typeof message === 'string' ? message : undefined;
}
