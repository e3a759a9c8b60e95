import { Box, chakra, Flex } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

const Mark = chakra('input', {
  base: {
    appearance: 'none',
    flexShrink: 0,
    position: 'relative',
    w: '20px',
    h: '20px',
    mt: '1px',
    borderWidth: '1.5px',
    borderColor: 'fieldLine',
    borderRadius: '6px',
    bg: 'panel',
    display: 'grid',
    placeContent: 'center',
    cursor: 'pointer',
    transition: 'background 150ms, border-color 150ms',
    _before: {
      content: '""',
      w: '11px',
      h: '6px',
      mt: '-3px',
      borderLeft: '2px solid',
      borderBottom: '2px solid',
      borderColor: 'onBrand',
      transform: 'rotate(-45deg) scale(0)',
    },
    // The touch target is larger than the visible box.
    _after: { content: '""', position: 'absolute', inset: '-13px' },
    _checked: { bg: 'brand', borderColor: 'brand', _before: { transform: 'rotate(-45deg) scale(1)' } },
    '&[aria-disabled=true]': { opacity: 0.5, cursor: 'not-allowed' },
  },
});

interface CheckboxProps {
  label: ReactNode;
  name?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: ReactNode;
  required?: boolean;
  /** Shown under the label, with an error mark beside it. */
  error?: string | undefined;
  /** Marked as disabled, but an attempt to tick it calls `onRefused`. */
  refused?: boolean;
  onRefused?: () => void;
}

/** A labelled checkbox. With `refused` an attempt to tick it calls `onRefused` and changes nothing. */
export function Checkbox({
  label,
  name,
  checked,
  onChange,
  hint,
  required,
  error,
  refused = false,
  onRefused,
}: CheckboxProps) {
  const id = useId();
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  return (
    <Flex gap="3" align="flex-start" py={{ base: '2.5', md: '1.5' }}>
      <Mark
        id={id}
        type="checkbox"
        name={name}
        checked={checked}
        aria-disabled={refused || undefined}
        aria-required={required || undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        onChange={(event) => (refused ? onRefused?.() : onChange(event.currentTarget.checked))}
      />
      <Box>
        <chakra.label htmlFor={id} fontSize="md" fontWeight="500" cursor="pointer" color={refused ? 'muted' : 'ink'}>
          {label}
          {error ? (
            <chakra.span display="inline-block" ml="1.5" color="bad" verticalAlign="-2px">
              <CircleAlert size={14} aria-label="error" role="img" />
            </chakra.span>
          ) : null}
        </chakra.label>
        {error ? (
          <Box id={`${id}-error`} mt="1" fontSize="xs" color="bad" fontWeight="500">
            {error}
          </Box>
        ) : null}
        {hint ? (
          <Box id={`${id}-hint`} fontSize="xs" color="muted">
            {hint}
          </Box>
        ) : null}
      </Box>
    </Flex>
  );
}
