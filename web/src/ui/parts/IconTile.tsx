import { chakra } from '@chakra-ui/react';

/** A soft square behind an icon of 20 px, beside a title and its text. */
export const IconTile = chakra('span', {
  base: {
    w: '40px',
    h: '40px',
    flexShrink: 0,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    borderRadius: 'field',
    bg: 'brandSoft',
    color: 'brand',
  },
});
