import { chakra } from '@chakra-ui/react';
import { type ComponentProps, lazy } from 'react';
import { LinkButton } from '../ui/parts/Button.tsx';
import type { AccountMenu } from './AccountMenu.tsx';
import type { MobileMenu } from './MobileMenu.tsx';

/** Stands for the account menu where its code can't be loaded. */
function AccountLink({ viewer }: ComponentProps<typeof AccountMenu>) {
  return (
    <LinkButton to="/settings" variant="ghost" maxW="18ch">
      {viewer.username}
    </LinkButton>
  );
}

/** Stands for the menu on phones where its code can't be loaded. */
function PlainMenu({ viewer }: ComponentProps<typeof MobileMenu>) {
  return (
    <chakra.nav id="mobile-menu" aria-label="Menu" p="3" display={{ md: 'none' }}>
      <LinkButton to={viewer ? '/settings' : '/auth'} variant="outline" w="full">
        {viewer ? 'Settings' : 'Sign In'}
      </LinkButton>
    </chakra.nav>
  );
}

/** The account menu; its code comes after the page. */
export const LateAccountMenu = lazy(() =>
  import('./AccountMenu.tsx').then(
    (module): { default: typeof AccountLink } => ({ default: module.AccountMenu }),
    () => ({ default: AccountLink }),
  ),
);

/** The menu on phones; its code comes when it is opened. */
export const LateMobileMenu = lazy(() =>
  import('./MobileMenu.tsx').then(
    (module): { default: typeof PlainMenu } => ({ default: module.MobileMenu }),
    () => ({ default: PlainMenu }),
  ),
);
