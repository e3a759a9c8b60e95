import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { CarPlaceholder } from '../../ui/parts/art.tsx';

const Frame = chakra('div', {
  base: {
    position: 'relative',
    overflow: 'hidden',
    borderRadius: 'photo',
    bg: 'sunk',
    aspectRatio: '4 / 3',
    w: 'full',
    h: 'full',
    '& img, & svg': { position: 'absolute', inset: '0', w: 'full', h: 'full', objectFit: 'cover' },
    _dark: { '& img, & svg': { filter: 'brightness(0.92)' } },
  },
});

/** The whole photo takes the click; what is seen of it is the count. */
const NextPhoto = chakra('button', {
  base: {
    position: 'absolute',
    inset: '0',
    w: 'full',
    borderRadius: 'photo',
    cursor: 'pointer',
    // Outside the photo's edge the ring would be cut off.
    _focusVisible: { outlineOffset: '-4px' },
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
  },
});

interface ListingPhotoProps {
  images: readonly string[];
  /** Paints the car that stands in for a missing photo. */
  color?: string | null | undefined;
  dimmed?: boolean;
}

/** A seller's photos, one at a time; a missing or broken one becomes a drawn car. */
export function ListingPhoto({ images, color, dimmed = false }: ListingPhotoProps) {
  const [index, setIndex] = useState(0);
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const shown = Math.min(index, Math.max(0, images.length - 1));
  const source = images[shown];
  return (
    <Frame opacity={dimmed ? 0.6 : 1}>
      {source === undefined || broken.has(source) ? (
        <CarPlaceholder color={color} />
      ) : (
        <img
          src={source}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setBroken((before) => new Set(before).add(source))}
        />
      )}
      {images.length > 1 ? (
        <NextPhoto
          type="button"
          aria-label={`Photo ${shown + 1} / ${images.length}, show the next`}
          onClick={() => setIndex((shown + 1) % images.length)}
        >
          <Count aria-hidden>
            {shown + 1} / {images.length}
          </Count>
        </NextPhoto>
      ) : null}
    </Frame>
  );
}
