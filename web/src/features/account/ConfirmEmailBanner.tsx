import { useMutation } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { MailQuestion } from 'lucide-react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/errors.ts';
import { toast } from '../../lib/state/toasts.ts';
import { Button } from '../../ui/parts/Button.tsx';

const ResendConfirmationDocument = graphql(`
  mutation ResendConfirmation {
    resendConfirmation {
      message
    }
  }
`);

/** Until an address is confirmed it gets no mail but the confirmation; this says so. */
export function ConfirmEmailBanner({ email }: { email: string }) {
  const [resend, { loading }] = useMutation(ResendConfirmationDocument);
  const send = async () => {
    try {
      const { data } = await resend();
      toast('Confirmation sent', data?.resendConfirmation.message);
    } catch (error) {
      toast('Error', readFault(error).message, 'destructive');
    }
  };
  return (
    <Flex
      as="section"
      aria-label="Confirm your email"
      bg="brandSoft"
      color="ink"
      px={{ base: '4', md: '6' }}
      py="2"
      gap="3"
      align="center"
      justify="center"
      fontSize="sm"
    >
      <MailQuestion size={18} aria-hidden style={{ flexShrink: 0 }} />
      <span>
        Confirm <strong>{email}</strong> to get your matches by mail. We sent you a link.
      </span>
      <Button variant="outline" size="sm" flexShrink={0} disabled={loading} onClick={() => void send()}>
        Send again
      </Button>
    </Flex>
  );
}
