import { chakra } from '@chakra-ui/react';
import { announcement } from '../../lib/state/announce.ts';
import { useStore } from '../../lib/state/store.ts';

/** Heard, not seen. */
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

/** Speaks what `announce()` was given; stands once in the app. */
export function Announcer() {
  const { text, count } = useStore(announcement);
  return (
    <VisuallyHidden role="status" aria-live="polite">
      <span key={count}>{text}</span>
    </VisuallyHidden>
  );
}
