import { Flex } from '@chakra-ui/react';
import { MailQuestion } from 'lucide-react';
import { Button } from '../../ui/parts/Button.tsx';
import { useResendConfirmation } from './use-resend-confirmation.ts';

/** Reminds the viewer that an unconfirmed address gets no mail but the confirmation. */
export function ConfirmEmailBanner({ email }: { email: string }) {
  const { resend, isSending } = useResendConfirmation();
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
        Confirm <strong>{email}</strong> to receive your matches by mail. We sent you a link.
      </span>
      <Button variant="outline" size="sm" flexShrink={0} disabled={isSending} onClick={() => void resend()}>
        Send again
      </Button>
    </Flex>
  );
}
