import { type ComponentType, lazy } from 'react';
import { ShareButton, SharingNotLoaded, type SharingState } from './ShareButton.tsx';

const LazyDialog = lazy(() =>
  import('./ShareSavedDialog.tsx').then(
    (module): { default: ComponentType<SharingState> } => ({ default: module.ShareSavedDialog }),
    () => ({ default: SharingNotLoaded }),
  ),
);

/** Makes a link to saved cars. */
export function ShareSavedButton() {
  return <ShareButton>{(state) => <LazyDialog {...state} />}</ShareButton>;
}
