import { Flex } from '@chakra-ui/react';
import { alertSchema } from '@lotwatch/api/forms/alert';
import type { ReactNode } from 'react';
import { graphql } from '../../gql/gql.ts';
import { ServerForm } from '../../ui/form/ServerForm.tsx';
import { Button, LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading } from '../../ui/parts/Card.tsx';
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
  /** Rejects with the server's refusal, whose messages about fields are shown in the form. */
  onSave: (values: AlertFormValues) => Promise<void>;
  /** Reports the failure. */
  onFailure: (error: unknown) => void;
}

/** The whole alert, in create and edit mode. */
export function AlertForm(props: AlertFormProps) {
  const { alertId, initialValues, beside, canText, phoneConfirmed, onSave, onFailure } = props;
  const isEdit = alertId !== undefined;
  return (
    <ServerForm
      name={isEdit ? 'Edit alert' : 'Create alert'}
      initial={initialValues}
      schema={alertSchema}
      save={onSave}
      onFault={(_fault, error) => onFailure(error)}
    >
      {({ isSubmitting }) => (
        <AlertFormLayout
          beside={beside}
          actions={
            <Flex gap="3" direction={{ base: 'column-reverse', sm: 'row' }} justify="flex-end">
              <LinkButton to="/" variant="outline" size="lg">
                Cancel
              </LinkButton>
              <Button type="submit" size="lg" disabled={isSubmitting} minW="160px">
                {submitText(isEdit, isSubmitting)}
              </Button>
            </Flex>
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

function submitText(isEdit: boolean, isSubmitting: boolean): string {
  if (isEdit) return isSubmitting ? 'Updating...' : 'Update Alert';
  return isSubmitting ? 'Creating...' : 'Create Alert';
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
