import { chakra } from '@chakra-ui/react';
import { cardPhotoSizes, photoInWidth, photoSrcSet } from '@lotwatch/api/photo-sizes';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { createContext, type KeyboardEvent, type PointerEvent, useContext, useRef, useState } from 'react';
import { announce } from '../../lib/state/announce.ts';
import { CarPlaceholder } from '../../ui/parts/art.tsx';

const Frame = chakra('div', {
  base: {
    position: 'relative',
    overflow: 'hidden',
    borderRadius: 'photo',
    bg: 'sunk',
    aspectRatio: '4 / 3',
    alignSelf: 'start',
    w: 'full',
    // A vertical swipe scrolls the page; a horizontal one changes the photo.
    touchAction: 'pan-y',
    '& > img, & > svg': { position: 'absolute', inset: '0', w: 'full', h: 'full', objectFit: 'cover' },
    '&:hover button > span': { opacity: '1' },
    _dark: { '& > img, & > svg': { filter: 'brightness(0.92)' } },
  },
});

/** A touch target at the photo's edge; with a mouse it is visible only on hover. */
const StepButton = chakra('button', {
  base: {
    position: 'absolute',
    top: '0',
    bottom: '0',
    w: '48px',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    cursor: 'pointer',
    borderRadius: 'photo',
    // Outside the photo's edge the ring would be cut off.
    _focusVisible: { outlineOffset: '-4px', '& > span': { opacity: '1' } },
    '& > span': {
      display: 'flex',
      p: '1.5',
      borderRadius: 'full',
      bg: 'rgb(18 32 31 / 66%)',
      color: 'white',
      transition: 'opacity 150ms',
      '@media (hover: hover)': { opacity: '0' },
    },
  },
});

const Count = chakra('span', {
  base: {
    position: 'absolute',
    left: '2',
    bottom: '2',
    px: '2.5',
    py: '1',
    borderRadius: 'full',
    bg: 'rgb(18 32 31 / 78%)',
    color: 'white',
    fontSize: '2xs',
    fontWeight: '650',
    lineHeight: '1.3',
    fontVariantNumeric: 'tabular-nums',
    pointerEvents: 'none',
  },
});

const maxNameLength = 80;

/** True around the first card of a page, whose photo is loaded at once and before others. */
export const FirstPhoto = createContext(false);

interface ListingPhotoProps {
  images: readonly string[];
  /** The alternative text of the photos. */
  title: string;
  /** The colour of the drawing that replaces a missing photo. */
  color?: string | null | undefined;
  dimmed?: boolean;
  /** How wide it is shown, as the `sizes` of an image. */
  sizes?: string;
}

/** A seller's photos, one at a time, changed by buttons, arrow keys and swipes; a drawn car if there are none. */
export function ListingPhoto({
  images,
  title,
  color,
  dimmed = false,
  sizes = cardPhotoSizes.normal,
}: ListingPhotoProps) {
  // The next card may become the first one, while this one's photo is there.
  const [isFirst] = useState(useContext(FirstPhoto));
  const { source, at, count, step, leaveOut, handlers } = useGallery(images);
  const name = title.slice(0, maxNameLength);
  const isGallery = count > 1;
  return (
    <Frame
      opacity={dimmed ? 0.6 : 1}
      {...(isGallery ? { role: 'group', 'aria-label': `${count} photos`, ...handlers } : {})}
    >
      {source === undefined ? (
        <CarPlaceholder color={color} />
      ) : (
        <img
          alt={isGallery ? `${name}, photo ${at + 1} of ${count}` : name}
          {...(isFirst
            ? { loading: 'eager', fetchPriority: 'high', sizes }
            : { loading: 'lazy', sizes: `auto, ${sizes}` })}
          srcSet={photoSrcSet(source)}
          src={photoInWidth(source, 640)}
          decoding="async"
          draggable={false}
          referrerPolicy="no-referrer"
          onError={() => leaveOut(source)}
        />
      )}
      {isGallery ? (
        <>
          <StepButton
            type="button"
            left="0"
            aria-label="Previous photo"
            onClick={({ currentTarget }) => step(-1, currentTarget.parentElement)}
          >
            <span>
              <ChevronLeft size={18} aria-hidden />
            </span>
          </StepButton>
          <StepButton
            type="button"
            right="0"
            aria-label="Next photo"
            onClick={({ currentTarget }) => step(1, currentTarget.parentElement)}
          >
            <span>
              <ChevronRight size={18} aria-hidden />
            </span>
          </StepButton>
          <Count aria-hidden>
            {at + 1} / {count}
          </Count>
        </>
      ) : null}
    </Frame>
  );
}

/** A shorter movement in pixels is not a swipe. */
const swipePx = 40;

interface Gallery {
  /** The current photo; undefined if all photos are broken. */
  source: string | undefined;
  /** Its index, from 0. */
  at: number;
  count: number;
  /** @param frame the element around the photo */
  step(by: 1 | -1, frame: Element | null): void;
  leaveOut(source: string): void;
  /** Event handlers for the element around the photo: arrow keys and swipes change it. */
  handlers: {
    onKeyDown(event: KeyboardEvent): void;
    onPointerDown(event: PointerEvent): void;
    onPointerUp(event: PointerEvent): void;
    onPointerCancel(): void;
  };
}

/** Prefetches a photo with the same request as its card. */
function fetchAhead(source: string | undefined, widthPx: number): void {
  if (source === undefined) return;
  const image = new Image();
  image.referrerPolicy = 'no-referrer';
  image.sizes = `${widthPx}px`;
  image.srcset = photoSrcSet(source) ?? '';
  image.src = photoInWidth(source, 640);
}

/** Pages through a listing's photos without broken ones. Only viewed photos and the next one are fetched. */
function useGallery(images: readonly string[]): Gallery {
  const [index, setIndex] = useState(0);
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const startX = useRef<number | null>(null);
  const whole = images.filter((image) => !broken.has(image));
  const count = whole.length;
  const at = Math.min(index, Math.max(0, count - 1));

  const step = (by: 1 | -1, frame: Element | null) => {
    if (count < 2) return;
    const next = (at + by + count) % count;
    setIndex(next);
    announce(`Photo ${next + 1} of ${count}`);
    fetchAhead(whole[(next + by + count) % count], frame?.clientWidth ?? 0);
  };

  return {
    source: whole[at],
    at,
    count,
    step,
    leaveOut: (source) => setBroken((before) => new Set(before).add(source)),
    handlers: {
      onKeyDown(event) {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        step(event.key === 'ArrowRight' ? 1 : -1, event.currentTarget);
      },
      onPointerDown(event) {
        startX.current = event.pointerType === 'mouse' ? null : event.clientX;
      },
      onPointerUp(event) {
        const movedPx = startX.current === null ? 0 : event.clientX - startX.current;
        startX.current = null;
        if (Math.abs(movedPx) >= swipePx) step(movedPx < 0 ? 1 : -1, event.currentTarget);
      },
      onPointerCancel() {
        startX.current = null;
      },
    },
  };
}
