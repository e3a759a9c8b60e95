import { newMatchCount } from '../lib/state/new-matches.ts';
import { useStore } from '../lib/state/store.ts';
import { Badge } from '../ui/parts/Card.tsx';
import { VisuallyHidden } from '../ui/parts/VisuallyHidden.tsx';

const MAX_SHOWN = 99;

/** The number of new matches at My Alerts; nothing if there are none. */
export function NewBadge() {
  const count = useStore(newMatchCount);
  if (count === 0) return null;
  return (
    <Badge tone="beam" px="1.5" minH="20px" minW="20px" justifyContent="center" data-new-matches>
      <VisuallyHidden>, </VisuallyHidden>
      {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
      <VisuallyHidden> new</VisuallyHidden>
    </Badge>
  );
}
