import { MailQuestion } from 'lucide-react';
import { Banner } from '../../ui/parts/Banner.tsx';
import { BusyButton } from '../../ui/parts/Button.tsx';
import { useResendConfirmation } from './use-resend-confirmation.ts';

/** Reminds the viewer that an unconfirmed address gets no mail but the confirmation. */
export function ConfirmEmailBanner({ email }: { email: string }) {
  const { resend, isSending } = useResendConfirmation();
  return (
    <Banner
      label="Confirm your email"
      tone="brand"
      icon={<MailQuestion size={18} aria-hidden />}
      action={
        <BusyButton variant="outline" size="sm" isBusy={isSending} onClick={() => void resend()}>
          Send again
        </BusyButton>
      }
    >
      Confirm <strong>{email}</strong> to receive your matches by mail. We sent you a link.
    </Banner>
  );
}
