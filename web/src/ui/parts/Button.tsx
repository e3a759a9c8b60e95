import { chakra } from '@chakra-ui/react';
import { ArrowLeft } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import { buttonRecipe } from '../theme/recipes.ts';

const ButtonBase = chakra('button', buttonRecipe);

/** A button. `variant`: solid | outline | ghost | danger | link; `size`: sm | md | lg | icon | text. `type` is 'button' unless given. */
export function Button({ type = 'button', ...rest }: ComponentProps<typeof ButtonBase>) {
  return <ButtonBase type={type} {...rest} />;
}

/** A button for an action that takes time: while busy it ignores presses but keeps the focus, which a disabled one loses. */
export function BusyButton({ isBusy, onClick, ...rest }: ComponentProps<typeof Button> & { isBusy: boolean }) {
  return (
    <Button
      aria-disabled={isBusy}
      aria-busy={isBusy}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
      {...rest}
    />
  );
}

/** A router link that looks like a button; props as `Button`, plus `to`. */
export const LinkButton = chakra(Link, buttonRecipe);

/** An outside or server-rendered address that looks like a button; props as `Button`, plus `href`. */
export const AnchorButton = chakra('a', buttonRecipe);

/** A router link inside text. */
export const TextLink = chakra(Link, {
  base: {
    // On phones the link's whole line can be tapped.
    display: { base: 'inline-flex', md: 'inline' },
    alignItems: 'center',
    minH: { base: '44px', md: '0' },
    color: 'brand',
    fontWeight: '600',
    borderRadius: '4px',
    _hover: { textDecoration: 'underline' },
  },
});

/** A link within a sentence: on phones its room for a finger lies over the lines around it, which keep their distance. */
export const InlineLink = chakra(TextLink, {
  base: { display: { base: 'inline', md: 'inline' }, minH: { base: '0', md: '0' }, py: { base: '3', md: '0' } },
});

/** The way back, above a page's title; props as `TextLink`. */
export function BackLink({ children, ...rest }: ComponentProps<typeof TextLink>) {
  return (
    <TextLink
      display="inline-flex"
      gap="1.5"
      minH={{ base: '44px', md: '32px' }}
      color="muted"
      fontWeight="500"
      {...rest}
    >
      <ArrowLeft size={16} aria-hidden />
      {children}
    </TextLink>
  );
}
