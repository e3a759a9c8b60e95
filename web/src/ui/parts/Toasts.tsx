import { Box, chakra, Flex } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useStore } from '../../lib/state/store.ts';
import { dismissToast, type Toast, toastStore } from '../../lib/state/toasts.ts';
import { Button } from './Button.tsx';

const shownMs = 5000;
const swipePx = 50;

const styles = {
  plain: { Icon: CircleCheck, color: 'good' },
  notice: { Icon: Info, color: 'brand' },
  destructive: { Icon: CircleAlert, color: 'bad' },
} as const;

const Panel = chakra('div', {
  base: {
    pointerEvents: 'auto',
    w: 'full',
    maxW: '400px',
    display: 'flex',
    alignItems: 'flex-start',
    gap: '3',
    p: '4',
    pr: '2',
    bg: 'panel',
    borderWidth: '1px',
    borderColor: 'line',
    borderRadius: 'card',
    boxShadow: 'pop',
    touchAction: 'pan-y',
    // A selected text would be dragged instead of swiped.
    userSelect: 'none',
    animation: 'toastIn 200ms ease-out',
  },
});

/** Never `display: none`: screen readers don't announce a hidden region. */
const LiveRegion = chakra('div', { base: { w: 'full', display: 'flex', justifyContent: 'center' } });

/** Where toasts appear: one at a time, 5000 ms, F8 goes there, a swipe to the right of 50 px sends it off. */
export function Toasts() {
  const toast = useStore(toastStore);
  const region = useRef<HTMLElement>(null);
  const formerFocus = useRef<Element | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F8') return;
      event.preventDefault();
      if (!region.current?.contains(document.activeElement)) formerFocus.current = document.activeElement;
      region.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  // After F8 the focus returns to its former element, or to the page if that was removed or nothing had the focus.
  const close = () => {
    const wasInside = region.current?.contains(document.activeElement);
    if (toast) dismissToast(toast.id);
    if (!wasInside) return;
    const former = formerFocus.current;
    const goal = former?.isConnected && former !== document.body ? former : document.getElementById('main');
    if (goal instanceof HTMLElement) goal.focus({ preventScroll: true });
  };
  const isBad = toast?.tone === 'destructive';
  const panel = toast ? <ToastPanel key={toast.id} toast={toast} onClose={close} /> : null;
  return (
    <chakra.section
      ref={region}
      aria-label="Notifications (F8)"
      tabIndex={-1}
      // A new page doesn't take the focus from an element with this attribute.
      data-keeps-focus
      onKeyDown={(event) => event.key === 'Escape' && close()}
      position="fixed"
      zIndex="toast"
      right={{ base: '0', md: '4' }}
      // Above the bar at a phone's lower edge, and above anything else there.
      bottom={{
        base: 'max(64px + env(safe-area-inset-bottom), var(--covered-below, 0px) + 8px)',
        lg: 'calc(var(--covered-below, 0px) + 16px)',
      }}
      left={{ base: '0', md: 'auto' }}
      px={{ base: '3', md: '0' }}
      w={{ md: '400px' }}
      pointerEvents="none"
      borderRadius="card"
    >
      {/* Screen readers only announce what is added to a region that was there before. */}
      <LiveRegion aria-live="polite">{isBad ? null : panel}</LiveRegion>
      <LiveRegion aria-live="assertive">{isBad ? panel : null}</LiveRegion>
    </chakra.section>
  );
}

function ToastPanel({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const [held, setHeld] = useState(false);
  const [offset, setOffset] = useState(0);
  const startX = useRef<number | null>(null);

  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissToast(toast.id), shownMs);
    return () => clearTimeout(timer);
  }, [held, toast.id]);

  const release = (event: PointerEvent<HTMLDivElement>) => {
    const movedPx = startX.current === null ? 0 : event.clientX - startX.current;
    startX.current = null;
    setHeld(false);
    setOffset(0);
    if (movedPx >= swipePx) dismissToast(toast.id);
  };
  const isBad = toast.tone === 'destructive';
  const style = styles[toast.tone];
  return (
    <Panel
      style={{ transform: `translateX(${offset}px)`, opacity: 1 - Math.min(offset, 200) / 260 }}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => startX.current === null && setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onPointerDown={(event: PointerEvent<HTMLDivElement>) => {
        if (event.target instanceof Element && event.target.closest('button')) return;
        startX.current = event.clientX;
        // A quick swipe leaves the panel before it ends.
        event.currentTarget.setPointerCapture(event.pointerId);
        setHeld(true);
      }}
      onPointerMove={(event: PointerEvent<HTMLDivElement>) => {
        if (startX.current !== null) setOffset(Math.max(0, event.clientX - startX.current));
      }}
      onPointerUp={release}
      onPointerCancel={() => {
        startX.current = null;
        setHeld(false);
        setOffset(0);
      }}
    >
      <Box color={style.color} pt="0.5">
        <style.Icon size={20} aria-hidden />
      </Box>
      <Flex direction="column" flex="1" minW="0">
        <Box fontWeight="650" color={isBad ? 'bad' : 'ink'}>
          {toast.title}
        </Box>
        {toast.description ? (
          <Box fontSize="sm" color="muted" overflowWrap="anywhere">
            {toast.description}
          </Box>
        ) : null}
      </Flex>
      <Button variant="ghost" size="icon" mt="-2" aria-label="Close" onClick={onClose}>
        <X size={16} aria-hidden />
      </Button>
    </Panel>
  );
}
