import { useMutation } from '@apollo/client/react';
import { Grid } from '@chakra-ui/react';
import { useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import { contactFailure } from '../../lib/server/faults/fault-words.ts';
import { toast } from '../../lib/state/toasts.ts';
import { FormField } from '../../ui/form/FormField.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { ServerForm } from '../../ui/form/ServerForm.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { ContactThanks } from './ContactThanks.tsx';
import { contactSchema } from './contact-schema.ts';

const SendContactMessageDocument = graphql(`
  mutation SendContactMessage($input: ContactInput!) {
    sendContactMessage(input: $input) {
      message
    }
  }
`);

interface ContactFormProps {
  /** What is known of whoever writes. */
  name: string;
  email: string;
  /** Stands in the subject's field at first. */
  subject?: string;
  /** Says below the message what helps to answer it. */
  messageHint?: string;
}

/** Sends a message to the support address; then says thank you, and offers to send another. */
export function ContactForm({ name, email, subject = '', messageHint }: ContactFormProps) {
  const [send] = useMutation(SendContactMessageDocument);
  const [blank, setBlank] = useState({ name, email, subject, message: '' });
  const [thanks, setThanks] = useState<string | null>(null);
  const [isAnother, setIsAnother] = useState(false);
  const save = async (values: typeof blank) => {
    const { data } = await send({ variables: { input: values } });
    if (!data) return;
    toast('Message sent!', data.sendContactMessage.message);
    setBlank({ ...values, subject, message: '' });
    setThanks(values.email.trim());
  };
  if (thanks !== null) {
    return (
      <ContactThanks
        email={thanks}
        onAnother={() => {
          setIsAnother(true);
          setThanks(null);
        }}
      />
    );
  }
  return (
    <ServerForm
      name="Contact"
      initial={blank}
      schema={contactSchema}
      save={save}
      onFault={(_fault, error) => toast('Error', contactFailure(error), 'destructive')}
    >
      {({ isSubmitting }) => (
        <>
          <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
            <FormField name="name" label="Name" required>
              {(control) => (
                <TextInput
                  {...control}
                  autoComplete="name"
                  // The button that led here is gone.
                  autoFocus={isAnother}
                />
              )}
            </FormField>
            <FormField name="email" label="Email" required>
              {(control) => <TextInput {...control} type="email" autoComplete="email" />}
            </FormField>
          </Grid>
          <FormField name="subject" label="Subject" required>
            {(control) => <TextInput {...control} />}
          </FormField>
          <FormField name="message" label="Message" hint={messageHint} required>
            {(control) => <TextArea {...control} rows={6} />}
          </FormField>
          <Button type="submit" size="lg" alignSelf={{ sm: 'flex-start' }} disabled={isSubmitting}>
            {isSubmitting ? 'Sending...' : 'Send Message'}
          </Button>
        </>
      )}
    </ServerForm>
  );
}
