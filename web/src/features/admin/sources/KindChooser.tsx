import { Box, chakra } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { BackLink } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { IconTile } from '../../../ui/parts/IconTile.tsx';
import { kindGuides } from './kind-guides.ts';

const Choice = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3.5',
    h: 'full',
    p: '4',
    borderWidth: '1px',
    borderColor: 'line',
    borderRadius: 'field',
    color: 'ink',
    transition: 'border-color 150ms, background 150ms',
    _hover: { borderColor: 'brand', bg: 'brandSoft' },
  },
});

interface KindChooserProps {
  /** The address of a guide's form. */
  hrefOf: (guide: string) => string;
  /** The way back, where there is one. */
  back?: { href: string; text: string };
}

/** Asks what somebody has; each answer leads to the form of a kind of source. */
export function KindChooser({ hrefOf, back }: KindChooserProps) {
  return (
    <div>
      {back ? <BackLink to={back.href}>{back.text}</BackLink> : null}
      <Card as="section" pad="lg" mt={back ? '2' : '0'} aria-labelledby="source-kinds">
        <Heading id="source-kinds" as="h3" size="md">
          Where do you have cars?
        </Heading>
        <Muted mt="1">
          LotWatch reads listings only from sources that you may use. Choose what you have: you see the first cars
          before anything is stored.
        </Muted>
        <chakra.ul
          listStyleType="none"
          p="0"
          mt="5"
          display="grid"
          gridTemplateColumns={{ base: '1fr', lg: '1fr 1fr' }}
          gap="3"
        >
          {kindGuides.map(({ id, Icon, title, text }) => (
            <li key={id}>
              <Choice to={hrefOf(id)}>
                <IconTile>
                  <Icon size={20} aria-hidden />
                </IconTile>
                <Box flex="1" minW="0">
                  <chakra.span display="block" fontWeight="600">
                    {title}
                  </chakra.span>
                  <chakra.span display="block" fontSize="sm" color="muted" textWrap="pretty">
                    {text}
                  </chakra.span>
                </Box>
                <Box color="muted" flexShrink={0}>
                  <ChevronRight size={18} aria-hidden />
                </Box>
              </Choice>
            </li>
          ))}
        </chakra.ul>
      </Card>
    </div>
  );
}
