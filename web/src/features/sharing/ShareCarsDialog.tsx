import { plural } from '../../lib/text/time.ts';
import { HiddenLeftOut } from './HiddenLeftOut.tsx';
import type { SharingState } from './ShareButton.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import { useLinkActions } from './use-link-actions.ts';
import { carsLeaveOut, carsShown, WhatIsShown } from './WhatIsShown.tsx';

export interface ShareCarsDialogProps extends SharingState {
  cars: readonly { id: string; hidden: boolean }[];
}

/** Says what a link to some cars shows, and makes it without those that are hidden. */
export function ShareCarsDialog({ cars, ...state }: ShareCarsDialogProps) {
  const { shareListings } = useLinkActions();
  const ids = cars.filter(({ hidden }) => !hidden).map(({ id }) => id);
  return (
    <ShareDialog
      {...state}
      title={`Share ${plural(ids.length, 'car')}`}
      what={plural(ids.length, 'car')}
      canMake={ids.length > 0}
      make={(onMade) => shareListings(ids, onMade)}
    >
      <HiddenLeftOut count={cars.length - ids.length} />
      <WhatIsShown shows={carsShown} leavesOut={carsLeaveOut} />
    </ShareDialog>
  );
}
