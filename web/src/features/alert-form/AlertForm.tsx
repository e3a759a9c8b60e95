import { Flex } from '@chakra-ui/react';
import { alertSchema } from '@lotwatch/api/forms/alert';
import { type ReactNode, useRef } from 'react';
import { graphql } from '../../gql/gql.ts';
import { ServerForm } from '../../ui/form/ServerForm.tsx';
import { Card, Heading } from '../../ui/parts/Card.tsx';
import { AlertFormButtons } from './AlertFormButtons.tsx';
import {
  CarFields,
  CatalogueNotice,
  ColorAndPhotoFields,
  PlaceFields,
  PriceFields,
  YearFields,
} from './AlertFormFields.tsx';
import { AlertFormLayout } from './AlertFormLayout.tsx';
import type { AlertFormValues } from './alert-form-values.ts';
import { MoreFilters } from './MoreFilters.tsx';
import { NotificationFields } from './NotificationFields.tsx';
import type { PausableAlert } from './use-pausable-alert.ts';
import { WishField } from './WishField.tsx';

/** What the form edits. */
export const AlertFormFragment = graphql(`
  fragment AlertForm_alert on Alert {
    make
    model
    yearMin
    yearMax
    location
    radius
    priceMin
    priceMax
    color
    onlyWithImages
    mileageMax
    models
    transmission
    fuel
    drive
    body
    titleStatus
    seller
    excludeWords
    requireWords
    priceStated
    belowFairPrice
    emailNotifications
    textNotifications
    pushNotifications
    delivery
    digestHour
    quietHours {
      from
      to
      days
    }
    maxMailsPerDay
    priceDrops
  }
`);

interface AlertFormProps {
  /** Edit mode when given. */
  alertId?: string;
  initialValues: AlertFormValues;
  /** What stands beside or below the fields and may read and set them. */
  beside: ReactNode;
  /** Whether the plan allows text messages. */
  canText: boolean;
  /** Whether texts have a confirmed phone to go to. */
  phoneConfirmed: boolean;
  /** Where the plan is full: an alert that can be switched off for this one. */
  pausable?: PausableAlert | undefined;
  /**
   * Rejects with the server's refusal, whose messages about fields are shown in the form.
   * @param pause the id of `pausable`, if it is to be switched off
   */
  onSave: (values: AlertFormValues, pause?: string) => Promise<void>;
  /** Reports the failure. */
  onFailure: (error: unknown) => void;
}

/** The whole alert, in create and edit mode. */
export function AlertForm(props: AlertFormProps) {
  const { alertId, initialValues, beside, canText, phoneConfirmed, pausable, onSave, onFailure } = props;
  const isEdit = alertId !== undefined;
  /** The id of the alert to switch off, by the button that was pressed. */
  const pause = useRef<string>(undefined);
  return (
    <ServerForm
      name={isEdit ? 'Edit alert' : 'Create alert'}
      initial={initialValues}
      schema={alertSchema}
      save={(values) => onSave(values, pause.current)}
      onFault={(_fault, error) => onFailure(error)}
    >
      {() => (
        <AlertFormLayout
          beside={beside}
          actions={
            <AlertFormButtons
              isEdit={isEdit}
              pausable={pausable}
              onPause={(id) => {
                pause.current = id;
              }}
            />
          }
        >
          <Card pad="lg" display="flex" flexDirection="column" gap={{ base: '7', md: '8' }}>
            {isEdit ? null : <WishField />}
            <CatalogueNotice />
            <Section title="Car">
              <CarFields />
              <YearFields />
            </Section>
            <Section title="Location">
              <PlaceFields />
            </Section>
            <Section title="Price and color">
              <PriceFields />
              <ColorAndPhotoFields twoFrom="md" />
              <MoreFilters />
            </Section>
            <Section title="Notifications">
              <NotificationFields canText={canText} phoneConfirmed={phoneConfirmed} />
            </Section>
          </Card>
        </AlertFormLayout>
      )}
    </ServerForm>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Flex as="fieldset" direction="column" gap="4" border="0" p="0" m="0" minW="0">
      <Heading as="legend" size="md" mb="3" p="0">
        {title}
      </Heading>
      {children}
    </Flex>
  );
}
