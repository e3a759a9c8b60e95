import { type ComponentType, lazy } from 'react';
import { ShareButton, SharingNotLoaded } from './ShareButton.tsx';
import type { ShareCarsDialogProps } from './ShareCarsDialog.tsx';

const LazyDialog = lazy(() =>
  import('./ShareCarsDialog.tsx').then(
    (module): { default: ComponentType<ShareCarsDialogProps> } => ({ default: module.ShareCarsDialog }),
    () => ({ default: SharingNotLoaded }),
  ),
);

/** Makes a link to some cars. */
export function ShareCarsButton({ cars }: Pick<ShareCarsDialogProps, 'cars'>) {
  return <ShareButton>{(state) => <LazyDialog cars={cars} {...state} />}</ShareButton>;
}
