import { useMutation } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { Form, Formik, type FormikHelpers } from 'formik';
import { useEffect, useRef } from 'react';
import { graphql } from '../../../gql/gql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { toastFault } from '../../../lib/server/faults/toast-fault.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { FocusFirstError, FormField } from '../../../ui/form/FormField.tsx';
import { Select } from '../../../ui/form/inputs.tsx';
import { BusyButton, Button } from '../../../ui/parts/Button.tsx';
import { profileSchema } from '../account-schemas.ts';
import { TextLine } from '../fields.tsx';
import type { Viewer } from '../viewer.ts';
import { browserZone, zoneLabel, zoneOptions } from './time-zones.ts';

const UpdateProfileDocument = graphql(`
  mutation UpdateProfile($input: ProfileInput!) {
    updateProfile(input: $input) {
      ...Viewer_user
      ...PhoneTexts_user
    }
  }
`);

interface ContactInfoFormProps {
  viewer: Viewer;
  /** Whether a changed address must be confirmed before it gets anything. */
  asksToConfirm: boolean;
  onClose: () => void;
}

/** Where alerts go: e-mail, phone and the time zone of dates in mails. An emptied field is cleared. */
export function ContactInfoForm({ viewer, asksToConfirm, onClose }: ContactInfoFormProps) {
  const [update] = useMutation(UpdateProfileDocument);
  const stored = { email: viewer.email ?? '', phone: viewer.phone ?? '', timeZone: viewer.timeZone };
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const submit = async (values: typeof stored, { setStatus }: FormikHelpers<typeof stored>) => {
    const email = values.email.trim() || null;
    const input = { email, phone: values.phone.trim() || null, timeZone: values.timeZone };
    try {
      const { data } = await update({ variables: { input } });
      const saved = data?.updateProfile;
      const isPending = Boolean(saved?.pendingEmail) && saved?.pendingEmail !== viewer.pendingEmail;
      const mustConfirm = isPending || (asksToConfirm && saved?.emailConfirmed === false && email !== viewer.email);
      toast(
        'Profile updated',
        mustConfirm && email !== null
          ? `We sent a link to ${email}. Open it to confirm the address.`
          : 'Your contact information has been saved.',
      );
      onClose();
    } catch (error) {
      const fault = readFault(error);
      setStatus(fault.fields);
      toastFault('Update failed', fault);
    }
  };
  return (
    <Formik initialValues={stored} validationSchema={profileSchema} onSubmit={submit}>
      {({ isSubmitting, values, setFieldValue }) => (
        <Form noValidate aria-label="Contact info">
          <FocusFirstError />
          <Flex direction="column" gap="4" ref={form}>
            <TextLine
              name="email"
              label="Email"
              type="email"
              autoComplete="email"
              hint={
                viewer.email || asksToConfirm
                  ? 'We ask a new address to confirm itself, and tell the old one.'
                  : undefined
              }
            />
            <TextLine name="phone" label="Phone" type="tel" autoComplete="tel" />
            <FormField
              name="timeZone"
              label="Time zone"
              hint={
                values.timeZone === browserZone() ? (
                  'For dates and times in mails.'
                ) : (
                  <Button
                    variant="link"
                    size="text"
                    fontSize="xs"
                    onClick={() => void setFieldValue('timeZone', browserZone())}
                  >
                    Use {zoneLabel(browserZone())}, as on this device
                  </Button>
                )
              }
            >
              {({ setValue, ...control }) => (
                <Select
                  {...control}
                  options={zoneOptions(stored.timeZone)}
                  onChange={(event) => setValue(event.currentTarget.value)}
                />
              )}
            </FormField>
            <Flex gap="3" direction={{ base: 'column', md: 'row' }}>
              <BusyButton type="submit" isBusy={isSubmitting}>
                {isSubmitting ? 'Saving...' : 'Save Changes'}
              </BusyButton>
              <Button variant="outline" onClick={onClose}>
                Cancel
              </Button>
            </Flex>
          </Flex>
        </Form>
      )}
    </Formik>
  );
}
