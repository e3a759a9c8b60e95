import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { plural } from '../../lib/text/time.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import { useLinkActions } from './use-link-actions.ts';
import { WhatIsShown } from './WhatIsShown.tsx';

export const carsShown = 'These cars with photo, price and town, at their prices of the day.';
export const carsLeaveOut = 'Your name and email, your alerts and notes, and what else you saved or viewed.';

/** Makes a link to some cars. */
export function ShareCarsButton({ ids }: { ids: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const { shareListings } = useLinkActions();
  return (
    <>
      <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Share2 size={16} aria-hidden />
        Share
      </Button>
      {isOpen ? (
        <ShareDialog
          title={`Share ${plural(ids.length, 'car')}`}
          what={plural(ids.length, 'car')}
          make={(onMade) => shareListings([...ids], onMade)}
          onClose={() => setOpen(false)}
        >
          <WhatIsShown shows={carsShown} leavesOut={carsLeaveOut} />
        </ShareDialog>
      ) : null}
    </>
  );
}
