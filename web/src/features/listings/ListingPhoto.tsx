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
    alignSelf: 'start',
    w: 'full',
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

/** A seller's photos, one at a time; broken ones are left out, and without any there is a drawn car. */
export function ListingPhoto({ images, color, dimmed = false }: ListingPhotoProps) {
  const [index, setIndex] = useState(0);
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const whole = images.filter((image) => !broken.has(image));
  const shown = Math.min(index, Math.max(0, whole.length - 1));
  const source = whole[shown];
  return (
    <Frame opacity={dimmed ? 0.6 : 1}>
      {source === undefined ? (
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
      {whole.length > 1 ? (
        <NextPhoto
          type="button"
          aria-label={`Photo ${shown + 1} / ${whole.length}, show the next`}
          onClick={() => setIndex((shown + 1) % whole.length)}
        >
          <Count aria-hidden>
            {shown + 1} / {whole.length}
          </Count>
        </NextPhoto>
      ) : null}
    </Frame>
  );
}
