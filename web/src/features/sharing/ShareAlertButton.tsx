import { type ComponentType, lazy } from 'react';
import type { ShareAlertDialogProps } from './ShareAlertDialog.tsx';
import { ShareButton, SharingNotLoaded } from './ShareButton.tsx';

const LazyDialog = lazy(() =>
  import('./ShareAlertDialog.tsx').then(
    (module): { default: ComponentType<ShareAlertDialogProps> } => ({ default: module.ShareAlertDialog }),
    () => ({ default: SharingNotLoaded }),
  ),
);

/** Makes a link to what an alert looks for. */
export function ShareAlertButton({ alert }: Pick<ShareAlertDialogProps, 'alert'>) {
  return <ShareButton isShort>{(state) => <LazyDialog alert={alert} {...state} />}</ShareButton>;
}
