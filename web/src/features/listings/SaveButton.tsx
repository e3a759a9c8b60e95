import { chakra } from '@chakra-ui/react';
import { Bookmark } from 'lucide-react';
import { Tooltip } from '../../ui/parts/Tooltip.tsx';
import { useSaveListing } from './use-save-listing.ts';

/** On the corner of a photo where nothing else is; the touch target is larger than its disc. */
const Toggle = chakra('button', {
  base: {
    position: 'absolute',
    top: '0',
    left: '0',
    w: '48px',
    h: '48px',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    cursor: 'pointer',
    borderRadius: 'photo',
    _focusVisible: { outlineOffset: '-4px' },
    '& > span': {
      display: 'flex',
      p: '2',
      borderRadius: 'full',
      bg: 'rgb(18 32 31 / 66%)',
      color: 'white',
      transition: 'background 150ms, transform 150ms',
    },
    '&:hover > span': { bg: 'rgb(18 32 31 / 86%)' },
    '&:active > span': { transform: 'scale(0.92)' },
    '&[aria-pressed=true] > span': { color: '#FFD27A' },
    '&[aria-pressed=true] svg': { fill: 'currentColor' },
  },
});

interface SaveButtonProps {
  listing: { id: string; saved: boolean };
  /** Id of the element that names the car. */
  describedBy: string;
}

/** Saves a car, or removes it from the saved ones. It belongs over the car's photo. */
export function SaveButton({ listing: { id, saved }, describedBy }: SaveButtonProps) {
  const save = useSaveListing(id);
  return (
    <Tooltip text={saved ? 'Saved. Press to remove' : 'Save this car'}>
      <Toggle
        type="button"
        data-saves
        aria-label="Save"
        aria-pressed={saved}
        aria-describedby={describedBy}
        onClick={() => void save(!saved)}
      >
        <span>
          <Bookmark size={17} aria-hidden />
        </span>
      </Toggle>
    </Tooltip>
  );
}
