import { MailX } from 'lucide-react';
import type { SuppressionReason } from '../../gql/graphql.ts';
import { Banner } from '../../ui/parts/Banner.tsx';
import { BusyButton, InlineLink } from '../../ui/parts/Button.tsx';
import { useResumeEmail } from './use-resume-email.ts';

const sentences: Readonly<Record<SuppressionReason, string>> = {
  bounced: 'came back',
  complained: 'was reported as spam',
  unsubscribed: 'was unsubscribed from',
};

/** Says that no mails about cars go to the viewer's address and why, and offers to resume them. */
export function SuppressedBanner({ email, reason }: { email: string; reason: SuppressionReason }) {
  const { resume, isResuming } = useResumeEmail();
  return (
    <Banner
      label="Mails stopped"
      tone="bad"
      icon={<MailX size={18} aria-hidden />}
      action={
        <BusyButton variant="outline" size="sm" isBusy={isResuming} onClick={() => void resume()}>
          {reason === 'bounced' ? 'Try again' : 'Send to it again'}
        </BusyButton>
      }
    >
      A mail to <strong>{email}</strong> {sentences[reason]}, so your matches wait.{' '}
      <InlineLink to="/settings">Use another address</InlineLink>
    </Banner>
  );
}
