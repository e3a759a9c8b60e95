import { chakra } from '@chakra-ui/react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

const Tab = chakra('button', {
  base: {
    // As wide as its name at least: what doesn't fit one line goes on in the next.
    flex: '1',
    minW: 'max-content',
    px: { base: '1', md: '2' },
    minH: '44px',
    borderRadius: '10px',
    fontWeight: '600',
    color: 'muted',
    cursor: 'pointer',
    lineHeight: '1.2',
    transition: 'background 150ms, color 150ms',
    '&[aria-selected=true]': { bg: 'panel', color: 'brand', boxShadow: 'card', _dark: { bg: 'brandSoft' } },
  },
  variants: {
    quiet: {
      true: {
        flex: '0 0 auto',
        px: { base: '2', md: '3.5' },
        fontSize: { base: 'xs', md: 'sm' },
        borderRadius: 'field',
        _hover: { color: 'ink' },
        '&[aria-selected=true]': { bg: 'brandSoft', boxShadow: 'none' },
      },
    },
  },
});

interface TabsProps {
  label: string;
  /** For tabs within tabs: no bar behind them. */
  quiet?: boolean;
  tabs: {
    name: string;
    /** How many things the tab holds, beside its name; null until it is known. */
    count?: number | null;
    content: ReactNode;
  }[];
  /** Which tab is chosen, where the page's address says it; without it the first, then whichever was clicked. */
  chosen?: number;
  onChoose?: (index: number) => void;
}

/** A row of tabs and the panel of the chosen one; left and right arrows move. */
export function Tabs({ label, quiet = false, tabs, chosen: given, onChoose }: TabsProps) {
  const id = useId();
  const [clicked, setClicked] = useState(0);
  const chosen = given ?? clicked;
  const setChosen = (index: number) => {
    setClicked(index);
    onChoose?.(index);
  };
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (chosen + step + tabs.length) % tabs.length;
    setChosen(next);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div>
      <chakra.div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        display="flex"
        flexWrap="wrap"
        gap="1"
        p={quiet ? '0' : '1'}
        bg={quiet ? 'transparent' : 'sunk'}
        borderRadius="field"
      >
        {tabs.map(({ name, count }, index) => (
          <Tab
            key={name}
            quiet={quiet}
            // On a phone four tabs are two rows of two.
            flexBasis={{ base: !quiet && tabs.length === 4 ? '40%' : undefined, md: quiet ? 'auto' : '0' }}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {name}
            {count === undefined ? null : (
              <>
                {' '}
                {/* As wide before the count is there, or the row of tabs would wrap when it comes. What is longer reaches into the padding. */}
                <chakra.span
                  display="inline-block"
                  w="3ch"
                  textAlign="start"
                  whiteSpace="nowrap"
                  fontSize="xs"
                  fontVariantNumeric="tabular-nums"
                >
                  {count?.toLocaleString('en-US', { notation: 'compact' })}
                </chakra.span>
              </>
            )}
          </Tab>
        ))}
      </chakra.div>
      <chakra.div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${chosen}`} pt={quiet ? '4' : '6'}>
        {tabs[chosen]?.content}
      </chakra.div>
    </div>
  );
}
