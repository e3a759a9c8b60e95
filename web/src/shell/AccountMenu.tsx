import { chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useLogOut } from '../features/account/use-log-out.ts';
import { isAdmin, type Viewer } from '../features/account/viewer.ts';
import { menuLinksOf } from './nav.ts';

const item = {
  base: {
    display: 'block',
    w: 'full',
    px: '3',
    minH: '40px',
    lineHeight: '40px',
    borderRadius: 'chip',
    fontSize: 'sm',
    fontWeight: '500',
    textAlign: 'left',
    cursor: 'pointer',
    _hover: { bg: 'sunk' },
  },
} as const;

const ItemLink = chakra(Link, item);
const ItemButton = chakra('button', item);

/** The username that opens the account's menu; arrows, Home, End and Escape work as in any menu. */
export function AccountMenu({ viewer }: { viewer: Viewer }) {
  const { username } = viewer;
  const [isOpen, setIsOpen] = useState(false);
  const menu = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const logOut = useLogOut();

  useEffect(() => {
    if (!isOpen) return;
    itemsOf(menu.current)[0]?.focus();
    const onPointer = (event: PointerEvent) => {
      const target = event.target;
      if (target instanceof Node && !menu.current?.contains(target) && !opener.current?.contains(target))
        setIsOpen(false);
    };
    addEventListener('pointerdown', onPointer);
    return () => removeEventListener('pointerdown', onPointer);
  }, [isOpen]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setIsOpen(false);
      opener.current?.focus();
    }
    if (event.key === 'Tab') setIsOpen(false);
    moveFocus(event, itemsOf(menu.current));
  };

  return (
    <chakra.div position="relative">
      <chakra.button
        ref={opener}
        type="button"
        aria-label={`Account menu of ${username}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        display="flex"
        alignItems="center"
        gap="2"
        minH="44px"
        pl="1"
        pr="2"
        borderRadius="full"
        fontSize="sm"
        fontWeight="600"
        cursor="pointer"
        transition="background 150ms"
        _hover={{ bg: 'sunk' }}
      >
        <chakra.span
          aria-hidden
          display="grid"
          placeItems="center"
          w="9"
          h="9"
          borderRadius="full"
          bg="brandSoft"
          color="brand"
          fontSize="xs"
          fontWeight="700"
          // The initial is decorative and not part of the button's name. A code point, because an emoji is two units of a string.
          data-initial={[...username][0]?.toUpperCase()}
          _before={{ content: 'attr(data-initial)' }}
        />
        <chakra.span maxW="14ch" overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap" dir="auto">
          {username}
        </chakra.span>
        <chakra.span color="muted" transition="transform 150ms" transform={isOpen ? 'rotate(180deg)' : 'none'}>
          <ChevronDown size={16} aria-hidden />
        </chakra.span>
      </chakra.button>
      {isOpen ? (
        <chakra.div
          ref={menu}
          role="menu"
          aria-label="Account"
          onKeyDown={onKeyDown}
          position="absolute"
          right="0"
          top="calc(100% + 8px)"
          minW="220px"
          maxW="300px"
          p="2"
          bg="panel"
          borderWidth="1px"
          borderColor="line"
          borderRadius="card"
          boxShadow="pop"
          zIndex="pop"
          animation="fadeIn 150ms"
        >
          <chakra.div px="3" pt="1.5" pb="2.5" mb="1.5" borderBottomWidth="1px" borderColor="line" fontSize="sm">
            <chakra.span color="muted">Signed in as </chakra.span>
            <chakra.strong overflowWrap="anywhere">
              <bdi>{username}</bdi>
            </chakra.strong>
          </chakra.div>
          {menuLinksOf(isAdmin(viewer)).map(({ to, label }) => (
            <ItemLink key={to} role="menuitem" tabIndex={-1} to={to} onClick={() => setIsOpen(false)}>
              {label}
            </ItemLink>
          ))}
          <ItemButton
            type="button"
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              setIsOpen(false);
              void logOut();
            }}
          >
            Logout
          </ItemButton>
        </chakra.div>
      ) : null}
    </chakra.div>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}

function moveFocus(event: KeyboardEvent, items: HTMLElement[]): void {
  const at = items.findIndex((entry) => entry.matches(':focus'));
  const goals: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
  const goal = goals[event.key];
  if (goal === undefined) return;
  event.preventDefault();
  items[(goal + items.length) % items.length]?.focus();
}
