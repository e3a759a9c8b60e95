import { useMutation } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { profileSchema } from '@lotwatch/api/forms/profile';
import { graphql } from '../../../gql/gql.ts';
import { toastFault } from '../../../lib/server/faults/run-action.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { FormField } from '../../../ui/form/FormField.tsx';
import { Select } from '../../../ui/form/inputs.tsx';
import { ServerForm } from '../../../ui/form/ServerForm.tsx';
import { BusyButton, Button } from '../../../ui/parts/Button.tsx';
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
  const save = async (values: typeof stored) => {
    const email = values.email.trim() || null;
    const input = { email, phone: values.phone.trim() || null, timeZone: values.timeZone };
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
  };
  return (
    <ServerForm
      name="Contact info"
      initial={stored}
      schema={profileSchema}
      takesFocus
      save={save}
      onFault={(fault) => toastFault('Update failed', fault)}
    >
      {({ isSubmitting, values, setFieldValue }) => (
        <>
          <TextLine
            name="email"
            label="Email"
            type="email"
            autoComplete="email"
            hint={
              viewer.email || asksToConfirm
                ? 'We send a confirmation link to the new address, and notify the old one.'
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
            {(control) => <Select {...control} options={zoneOptions(stored.timeZone)} />}
          </FormField>
          <Flex gap="3" direction={{ base: 'column', md: 'row' }}>
            <BusyButton type="submit" isBusy={isSubmitting}>
              {isSubmitting ? 'Saving...' : 'Save Changes'}
            </BusyButton>
            <Button variant="outline" onClick={onClose}>
              Cancel
            </Button>
          </Flex>
        </>
      )}
    </ServerForm>
  );
}
