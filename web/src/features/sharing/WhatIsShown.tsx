import { chakra } from '@chakra-ui/react';

export const carsShown =
  'These cars with photo, price and town, at their prices of the day, except those that you hide later.';
export const carsLeaveOut = 'Your name and email, your alerts and notes, and what else you saved or viewed.';

/** What whoever has a link sees, and what they don't. */
export function WhatIsShown({ shows, leavesOut }: { shows: string; leavesOut: string }) {
  return (
    <chakra.dl
      fontSize="sm"
      css={{
        '& > dt': { color: 'ink', fontWeight: '600' },
        '& > dd + dt': { marginTop: '2' },
        '& > dd': { margin: '0' },
      }}
    >
      <dt>Anyone who has the link sees, without an account:</dt>
      <dd>{shows}</dd>
      <dt>Not shown:</dt>
      <dd>{leavesOut}</dd>
    </chakra.dl>
  );
}
