import { chakra, Flex } from '@chakra-ui/react';
import { Check, Copy, KeyRound } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { toast } from '../../lib/state/toasts.ts';
import { Button } from '../parts/Button.tsx';
import { Card, Heading, Muted } from '../parts/Card.tsx';
import { TextInput } from './inputs.tsx';

interface NewSecretProps {
  secret: string;
  /** The word for it in a sentence: 'key' or 'secret'. */
  what: string;
  title: string;
  /** The field's name. */
  label: string;
  /** A note on what the secret allows. */
  children: ReactNode;
  onDone: () => void;
}

/** A secret at the only time it can be read. Only its own button closes it, so that it can't be closed by accident. */
export function NewSecret({ secret, what, title, label, children, onDone }: NewSecretProps) {
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new secret gets the focus once
  useEffect(() => {
    setCopied(false);
    heading.current?.focus();
  }, [secret]);
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
      toast(`${what.charAt(0).toUpperCase()}${what.slice(1)} copied`, 'Keep it where only your program can read it.');
    } catch {
      toast(`The ${what} is selected`, 'Copy it with your keyboard or the menu.', 'notice');
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
            {title}
          </Heading>
          <Muted mt="1" color="ink">
            {children}
          </Muted>
          <Flex mt="4" gap="3" direction={{ base: 'column', md: 'row' }}>
            <TextInput
              ref={field}
              readOnly
              value={secret}
              aria-label={label}
              fontFamily="mono"
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
                I have saved it
              </Button>
            </Flex>
          </Flex>
        </chakra.div>
      </Flex>
    </Card>
  );
}
