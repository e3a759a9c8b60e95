import { Badge } from '../../ui/parts/Card.tsx';

/** Whether an address was confirmed. */
export function ConfirmedBadge({ isConfirmed }: { isConfirmed: boolean }) {
  return isConfirmed ? <Badge>Confirmed</Badge> : <Badge tone="quiet">Not confirmed</Badge>;
}
