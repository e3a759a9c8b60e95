import { chakra } from '@chakra-ui/react';
import { alertSchema } from '@lotwatch/api/forms/alert';
import { Form, Formik } from 'formik';
import { FocusFirstError } from '../../ui/form/FormField.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Heading } from '../../ui/parts/Card.tsx';
import {
  CarFields,
  CatalogueNotice,
  ColorAndPhotoFields,
  PlaceFields,
  PriceFields,
  YearFields,
} from './AlertFormFields.tsx';
import { type AlertFormValues, alertFormDefaults } from './alert-form-values.ts';

/** The landing page's form: the alert without its notification flags. Saving is the caller's turn. */
export function QuickAlertForm({ onSubmit }: { onSubmit: (values: AlertFormValues) => void }) {
  return (
    <Formik initialValues={alertFormDefaults} validationSchema={alertSchema} onSubmit={onSubmit}>
      {/* Without scripts the browser sends it, and the server leads to the new account. */}
      <Form noValidate aria-label="Quick alert" method="post" action="/quick-alert">
        <FocusFirstError />
        <Card pad="lg" display="flex" flexDirection="column" gap="4">
          <Heading as="h2" size="lg">
            What are you looking for?
          </Heading>
          <CatalogueNotice />
          <CarFields />
          <YearFields />
          <PlaceFields />
          <PriceFields />
          <ColorAndPhotoFields twoFrom="sm" />
          <Button type="submit" size="lg" w="full">
            Create my alert
          </Button>
          <chakra.p fontSize="xs" color="muted" textAlign="center">
            Free forever for one alert. No credit card.
          </chakra.p>
        </Card>
      </Form>
    </Formik>
  );
}
