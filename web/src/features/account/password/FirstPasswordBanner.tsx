import { KeyRound } from 'lucide-react';
import { Banner } from '../../../ui/parts/Banner.tsx';
import { LinkButton } from '../../../ui/parts/Button.tsx';

/** The reminder for servers that don't enforce the change. */
export function FirstPasswordBanner() {
  return (
    <Banner
      label="First password"
      tone="brand"
      icon={<KeyRound size={18} aria-hidden />}
      action={
        <LinkButton to="/settings" variant="outline" size="sm">
          Change password
        </LinkButton>
      }
    >
      You still use the password that was created for you.
    </Banner>
  );
}
