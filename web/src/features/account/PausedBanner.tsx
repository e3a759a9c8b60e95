import { BellOff } from 'lucide-react';
import { Banner } from '../../ui/parts/Banner.tsx';
import { BusyButton } from '../../ui/parts/Button.tsx';
import { usePauseMessages } from './use-pause-messages.ts';

/** Says that no alert sends messages, so that nobody waits for one. */
export function PausedBanner() {
  const { pause, isSaving } = usePauseMessages();
  return (
    <Banner
      label="Messages paused"
      tone="brand"
      icon={<BellOff size={18} aria-hidden />}
      action={
        <BusyButton variant="outline" size="sm" isBusy={isSaving} onClick={() => void pause(false)}>
          Resume
        </BusyButton>
      }
    >
      All messages are paused. Your alerts keep watching.
    </Banner>
  );
}
