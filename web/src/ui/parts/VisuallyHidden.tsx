import { chakra } from '@chakra-ui/react';
import { announcement } from '../../lib/state/announce.ts';
import { useStore } from '../../lib/state/store.ts';

/** Hidden from view, but read by screen readers. */
export const VisuallyHidden = chakra('span', {
  base: {
    position: 'absolute',
    w: '1px',
    h: '1px',
    m: '-1px',
    p: '0',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
    border: '0',
  },
});

/** The live region for `announce()`, once in the app. */
export function Announcer() {
  const { text, count } = useStore(announcement);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      <span key={count}>{text}</span>
    </VisuallyHidden>
  );
}
