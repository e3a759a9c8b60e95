import { chakra } from '@chakra-ui/react';
import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

const delayMs = 700;
const skipDelayMs = 300;
/** Long enough to move the pointer from the element onto its tooltip. */
const graceMs = 120;
const gapPx = 8;

/** When the last tooltip was hidden: the next one within `skipDelayMs` appears without delay. */
let goneAt = Number.NEGATIVE_INFINITY;
let closeOther: (() => void) | undefined;

const Words = chakra('span', {
  base: {
    position: 'fixed',
    inset: 'auto',
    m: '0',
    maxW: 'min(320px, calc(100vw - 16px))',
    px: '2.5',
    py: '1.5',
    border: '0',
    borderRadius: 'chip',
    bg: 'ink',
    color: 'bg',
    fontSize: 'xs',
    fontWeight: '500',
    lineHeight: '1.4',
    overflowWrap: 'anywhere',
    boxShadow: 'pop',
    animation: 'fadeIn 150ms',
  },
});

interface TriggerProps {
  'aria-label'?: string | undefined;
  'aria-describedby'?: string | undefined;
  onPointerEnter?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  onPointerLeave?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  onPointerDown?: ((event: PointerEvent<HTMLElement>) => void) | undefined;
  onFocus?: ((event: FocusEvent<HTMLElement>) => void) | undefined;
  onBlur?: ((event: FocusEvent<HTMLElement>) => void) | undefined;
}

interface TooltipProps {
  text: string;
  /** One element that passes its props on. An icon-only button keeps its own `aria-label`. */
  children: ReactElement<TriggerProps>;
}

/** A tooltip of an element under the pointer (after 700 ms) or with keyboard focus. Escape hides it; touch never shows it. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { props } = children;

  const close = () => {
    clearTimeout(timer.current);
    setTarget((open) => {
      if (open) goneAt = performance.now();
      return null;
    });
  };
  const open = (element: HTMLElement) => {
    if (closeOther !== close) closeOther?.();
    closeOther = close;
    setTarget(element);
  };
  const closeSoon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(close, graceMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  const trigger = cloneElement(children, {
    // An accessible name with the same text isn't announced twice.
    'aria-describedby': target && props['aria-label'] !== text ? id : props['aria-describedby'],
    onPointerEnter(event) {
      props.onPointerEnter?.(event);
      if (event.pointerType === 'touch') return;
      const element = event.currentTarget;
      clearTimeout(timer.current);
      const wait = performance.now() - goneAt < skipDelayMs ? 0 : delayMs;
      timer.current = setTimeout(() => open(element), wait);
    },
    onPointerLeave(event) {
      props.onPointerLeave?.(event);
      closeSoon();
    },
    onPointerDown(event) {
      props.onPointerDown?.(event);
      close();
    },
    onFocus(event) {
      props.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) open(event.currentTarget);
    },
    onBlur(event) {
      props.onBlur?.(event);
      close();
    },
  });
  return (
    <>
      {trigger}
      {target ? (
        <OpenTooltip
          id={id}
          text={text}
          target={target}
          onClose={close}
          onEnter={() => clearTimeout(timer.current)}
          onLeave={closeSoon}
        />
      ) : null}
    </>
  );
}

interface OpenTooltipProps {
  id: string;
  text: string;
  target: HTMLElement;
  onClose: () => void;
  onEnter: () => void;
  onLeave: () => void;
}

function OpenTooltip({ id, text, target, onClose, onEnter, onLeave }: OpenTooltipProps) {
  const words = useRef<HTMLSpanElement>(null);

  // In the browser's top layer nothing covers it, not even a dialog.
  useLayoutEffect(() => {
    const element = words.current;
    if (!element) return;
    element.popover = 'manual';
    element.showPopover();
    const around = target.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const above = around.top - height - gapPx;
    const left = around.left + around.width / 2 - width / 2;
    element.style.top = `${above >= gapPx ? above : around.bottom + gapPx}px`;
    element.style.left = `${Math.max(gapPx, Math.min(left, document.documentElement.clientWidth - width - gapPx))}px`;
  }, [target]);

  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close.current();
    };
    const onScroll = () => close.current();
    addEventListener('keydown', onKey, true);
    addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      removeEventListener('keydown', onKey, true);
      removeEventListener('scroll', onScroll, true);
    };
  }, []);

  return (
    <Words ref={words} id={id} role="tooltip" onPointerEnter={onEnter} onPointerLeave={onLeave}>
      {text}
    </Words>
  );
}
