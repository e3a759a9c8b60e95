import { matchCountText } from '@lotwatch/api/match-cap';
import { newCarCount } from '../lib/state/new-cars.ts';
import { useStore } from '../lib/state/store.ts';
import { Badge } from '../ui/parts/Card.tsx';
import { VisuallyHidden } from '../ui/parts/VisuallyHidden.tsx';

/** The number of new cars at My Alerts; nothing if there are none. */
export function NewBadge() {
  const count = useStore(newCarCount);
  if (!count) return null;
  return (
    <Badge tone="beam" px="1.5" minH="20px" minW="20px" justifyContent="center" data-new-matches>
      <VisuallyHidden>, </VisuallyHidden>
      {matchCountText(count)}
      <VisuallyHidden> new</VisuallyHidden>
    </Badge>
  );
}
