import { chakra } from '@chakra-ui/react';
import { Share2 } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { toast } from '../../lib/state/toasts.ts';
import { Button } from '../../ui/parts/Button.tsx';
import type { NewLink } from './use-link-actions.ts';

/** What every dialog of sharing gets. */
export interface SharingState {
  /** The link that was made on this page, which the dialog offers again; null when another is to be made. */
  made: NewLink | null;
  onMade: (link: NewLink | null) => void;
  onClose: () => void;
}

interface ShareButtonProps {
  /** On a phone only the sign is shown, where other buttons need the room. */
  isShort?: boolean;
  children: (state: SharingState) => ReactNode;
}

/** Opens a dialog whose code is loaded then, and keeps the link that it has made until the page is left. */
export function ShareButton({ isShort = false, children }: ShareButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<NewLink | null>(null);
  return (
    <>
      <Button variant="outline" aria-haspopup="dialog" aria-label="Share" onClick={() => setOpen(true)}>
        <Share2 size={16} aria-hidden />
        <chakra.span hideBelow={isShort ? 'md' : undefined}>Share</chakra.span>
      </Button>
      {isOpen ? <Suspense>{children({ made, onMade: setMade, onClose: () => setOpen(false) })}</Suspense> : null}
    </>
  );
}

/** Takes the place of a dialog whose code can't be loaded. */
export function SharingNotLoaded({ onClose }: SharingState): ReactNode {
  useEffect(() => {
    toast('Sharing could not be loaded', 'Please check your connection, then reload the page.', 'destructive');
    onClose();
  }, [onClose]);
  return null;
}
