import { Flex } from '@chakra-ui/react';
import { alertSchema } from '@lotwatch/api/forms/alert';
import { textsNeedPlan } from '@lotwatch/api/forms/plan-refusals';
import { useFormikContext } from 'formik';
import type { ReactNode } from 'react';
import { graphql } from '../../gql/gql.ts';
import { toast } from '../../lib/state/toasts.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { ServerForm } from '../../ui/form/ServerForm.tsx';
import { Button, LinkButton, TextLink } from '../../ui/parts/Button.tsx';
import { Card, Heading } from '../../ui/parts/Card.tsx';
import {
  CarFields,
  CatalogueNotice,
  ColorAndPhotoFields,
  Flag,
  PlaceFields,
  PriceFields,
  YearFields,
} from './AlertFormFields.tsx';
import type { AlertFormValues } from './alert-form-values.ts';
import { DeliveryFields } from './DeliveryFields.tsx';

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
    emailNotifications
    textNotifications
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
export function AlertForm({ alertId, initialValues, canText, phoneConfirmed, onSave, onFailure }: AlertFormProps) {
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
        <Card pad="lg" display="flex" flexDirection="column" gap={{ base: '7', md: '8' }}>
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
          </Section>
          <Section title="Notifications">
            <NotificationFlags canText={canText} phoneConfirmed={phoneConfirmed} />
            <DeliveryFields />
          </Section>
          <Flex gap="3" direction={{ base: 'column-reverse', sm: 'row' }} justify="flex-end">
            <LinkButton to="/" variant="outline" size="lg">
              Cancel
            </LinkButton>
            <Button type="submit" size="lg" disabled={isSubmitting} minW="160px">
              {submitText(isEdit, isSubmitting)}
            </Button>
          </Flex>
        </Card>
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

function NotificationFlags({ canText, phoneConfirmed }: Pick<AlertFormProps, 'canText' | 'phoneConfirmed'>) {
  const { values, setFieldValue } = useFormikContext<AlertFormValues>();
  return (
    <div>
      <Flag name="emailNotifications" label="Email notifications" />
      <Checkbox
        name="textNotifications"
        label="Text notifications"
        checked={values.textNotifications}
        // Someone whose paid plan ended may still take the tick off.
        refused={!canText && !values.textNotifications}
        onRefused={() => toast('Premium Feature', textsNeedPlan, 'notice')}
        onChange={(checked) => void setFieldValue('textNotifications', checked)}
        hint={textHint(canText, phoneConfirmed)}
      />
    </div>
  );
}

function textHint(canText: boolean, phoneConfirmed: boolean): ReactNode {
  if (!canText) return 'Upgrade to a paid plan to enable SMS notifications.';
  if (phoneConfirmed) return undefined;
  return (
    <>
      Texts start once your phone is confirmed. <TextLink to="/settings#texts">Confirm it in Settings</TextLink>
    </>
  );
}
