import { useMutation } from '@apollo/client/react';
import { Flex, Grid } from '@chakra-ui/react';
import { Form, Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { contactFailure } from '../../lib/server/faults/fault-words.ts';
import { toast } from '../../lib/state/toasts.ts';
import { FocusFirstError, FormField } from '../../ui/form/FormField.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
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
  const submit = async (values: typeof blank, { setStatus }: FormikHelpers<typeof blank>) => {
    try {
      const { data } = await send({ variables: { input: values } });
      if (!data) return;
      toast('Message sent!', data.sendContactMessage.message);
      setBlank({ ...values, subject, message: '' });
      setThanks(values.email.trim());
    } catch (error) {
      setStatus(readFault(error).fields);
      toast('Error', contactFailure(error), 'destructive');
    }
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
    <Formik initialValues={blank} validationSchema={contactSchema} onSubmit={submit}>
      {({ isSubmitting }) => (
        <Form noValidate aria-label="Contact">
          <FocusFirstError />
          <Flex direction="column" gap="4">
            <Grid templateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
              <FormField name="name" label="Name" required>
                {({ setValue, ...control }) => (
                  <TextInput
                    {...control}
                    autoComplete="name"
                    // What was pressed to come here is gone.
                    autoFocus={isAnother}
                    onChange={(event) => setValue(event.currentTarget.value)}
                  />
                )}
              </FormField>
              <FormField name="email" label="Email" required>
                {({ setValue, ...control }) => (
                  <TextInput
                    {...control}
                    type="email"
                    autoComplete="email"
                    onChange={(event) => setValue(event.currentTarget.value)}
                  />
                )}
              </FormField>
            </Grid>
            <FormField name="subject" label="Subject" required>
              {({ setValue, ...control }) => (
                <TextInput {...control} onChange={(event) => setValue(event.currentTarget.value)} />
              )}
            </FormField>
            <FormField name="message" label="Message" hint={messageHint} required>
              {({ setValue, ...control }) => (
                <TextArea {...control} rows={6} onChange={(event) => setValue(event.currentTarget.value)} />
              )}
            </FormField>
            <Button type="submit" size="lg" alignSelf={{ sm: 'flex-start' }} disabled={isSubmitting}>
              {isSubmitting ? 'Sending...' : 'Send Message'}
            </Button>
          </Flex>
        </Form>
      )}
    </Formik>
  );
}
