import { chakra } from '@chakra-ui/react';
import { plural } from '../../lib/text/time.ts';

/** Says how many cars are not offered to be shared, as their owner hid them. */
export function HiddenLeftOut({ count }: { count: number }) {
  return count > 0 ? (
    <chakra.p fontSize="sm">
      {plural(count, 'car')} that you hid {count === 1 ? 'is' : 'are'} left out.
    </chakra.p>
  ) : null;
}
