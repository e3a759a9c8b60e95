import { chakra } from '@chakra-ui/react';
import { useSite } from '../../lib/server/site.ts';
import { ProseLink } from '../../ui/parts/Prose.tsx';

/** The support address inside a text; the contact page until it is known. */
export function SupportEmail() {
  const email = useSite()?.supportEmail;
  if (!email) return <ProseLink to="/contact">our contact page</ProseLink>;
  return (
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
  );
}
