import { useMutation } from '@apollo/client/react';
import { Box, Flex, Grid } from '@chakra-ui/react';
import { contactSchema } from '@lotwatch/api/forms/contact';
import { useEffect, useRef, useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import { contactFailure } from '../../lib/server/faults/fault-words.ts';
import { toast } from '../../lib/state/toasts.ts';
import { FormField } from '../../ui/form/FormField.tsx';
import { TextArea, TextInput } from '../../ui/form/inputs.tsx';
import { ServerForm } from '../../ui/form/ServerForm.tsx';
import { Envelope } from '../../ui/parts/art.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Heading, Muted } from '../../ui/parts/Card.tsx';
import { NeedsScript } from '../../ui/parts/NeedsScript.tsx';

const SendContactMessageDocument = graphql(`
  mutation SendContactMessage($input: ContactInput!) {
    sendContactMessage(input: $input) {
      message
    }
  }
`);

interface ContactFormProps {
  /** The sender's name and address, where they are known. */
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
          <NeedsScript>This form needs JavaScript. Please turn it on, or write to our support address.</NeedsScript>
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

interface ContactThanksProps {
  /** Where the answer goes. */
  email: string;
  onAnother: () => void;
}

/** Stands in the form's place once the message is sent, and takes the focus that the form had. */
function ContactThanks({ email, onAnother }: ContactThanksProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Flex direction="column" align="center" textAlign="center" gap="2" py={{ base: '4', md: '8' }}>
      <Box w="full" maxW="220px" mb="2">
        <Envelope />
      </Box>
      <Heading as="h2" size="lg" ref={title} tabIndex={-1} borderRadius="chip" px="2">
        Thank You!
      </Heading>
      <Muted maxW="44ch" overflowWrap="anywhere" textWrap="balance">
        We received your message and will reply to {email}, Monday to Friday.
      </Muted>
      <Button variant="outline" mt="4" onClick={onAnother}>
        Send Another Message
      </Button>
    </Flex>
  );
}
