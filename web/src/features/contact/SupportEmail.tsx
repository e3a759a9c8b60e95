import { chakra } from '@chakra-ui/react';
import { useSite } from '../../lib/server/site.ts';

/** The support address on a line of its own, which is there before the address is known: no text moves when it comes. */
export function SupportEmail() {
  const email = useSite()?.supportEmail;
  return (
    <chakra.span display="block" minH="1.7em">
      {email ? (
        <chakra.a
          href={`mailto:${email}`}
          color="brand"
          fontWeight="600"
          textDecoration="underline"
          textUnderlineOffset="3px"
          borderRadius="4px"
        >
          {email}
        </chakra.a>
      ) : null}
    </chakra.span>
  );
}
