import { chakra, Flex } from '@chakra-ui/react';
import { Check, Copy, KeyRound } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { toast } from '../../lib/state/toasts.ts';
import { TextInput } from '../../ui/form/inputs.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import type { ShownKey } from './use-key-actions.ts';

/** A secret, the only time that it can be read. It stays until it is put away: no slip of a finger closes it. */
export function NewSecret({ shown, onDone }: { shown: ShownKey; onDone: () => void }) {
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new secret is led to, once
  useEffect(() => {
    setCopied(false);
    heading.current?.focus();
  }, [shown.secret]);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(shown.secret);
      setCopied(true);
      toast('Key copied', 'Keep it where only your program can read it.');
    } catch {
      toast('The key is selected', 'Copy it with your keyboard or the menu.', 'notice');
    }
  };
  return (
    <Card as="section" aria-labelledby={headingId} bg="brandSoft" borderColor="brand">
      <Flex gap="3" align="flex-start">
        <chakra.span color="brand" pt="0.5" flexShrink={0}>
          <KeyRound size={20} aria-hidden />
        </chakra.span>
        <chakra.div minW="0" flex="1">
          <Heading ref={heading} id={headingId} as="h3" size="sm" tabIndex={-1} borderRadius="4px">
            Copy the key “{shown.name}” now
          </Heading>
          <Muted mt="1" color="ink">
            This is the only time we can show it: we keep no copy that can be read. Whoever has it acts as you.
          </Muted>
          <Flex mt="4" gap="3" direction={{ base: 'column', md: 'row' }}>
            <TextInput
              ref={field}
              readOnly
              value={shown.secret}
              aria-label="Your new API key"
              fontFamily="ui-monospace, monospace"
              fontSize={{ base: '1rem', md: 'xs' }}
              spellCheck={false}
              onFocus={(event) => event.currentTarget.select()}
            />
            <Flex gap="3" flexShrink={0}>
              <Button onClick={() => void copy()} minW="104px">
                {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
                {isCopied ? 'Copied' : 'Copy'}
              </Button>
              <Button variant="outline" onClick={onDone}>
                I have it
              </Button>
            </Flex>
          </Flex>
        </chakra.div>
      </Flex>
    </Card>
  );
}
