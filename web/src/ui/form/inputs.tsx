import { Box, chakra } from '@chakra-ui/react';
import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { inputRecipe } from '../theme/recipes.ts';

/** One line of text; spread a Field's control props on it. */
export const TextInput = chakra('input', inputRecipe);

/** Several lines of text; spread a Field's control props on it. */
export const TextArea = chakra('textarea', {
  ...inputRecipe,
  base: { ...inputRecipe.base, display: 'block', py: '2.5', lineHeight: '1.5', resize: 'vertical', minH: '120px' },
});

const SelectBase = chakra('select', {
  ...inputRecipe,
  base: {
    ...inputRecipe.base,
    appearance: 'none',
    px: { base: '3', md: '3.5' },
    pr: { base: '8', md: '10' },
    cursor: 'pointer',
    textOverflow: 'ellipsis',
  },
});

interface SelectProps extends ComponentProps<typeof SelectBase> {
  options: readonly { value: string; label: string; disabled?: boolean }[];
  /** Text of the empty choice; without it there is none. */
  placeholder?: string;
  /** Text of the value while the list hasn't come. */
  meanwhile?: string | undefined;
}

/** The platform's own select, which phones show best. */
export function Select({ options, placeholder, meanwhile, ...rest }: SelectProps) {
  const isListed = !rest.value || options.some((option) => option.value === rest.value);
  return (
    <Box position="relative">
      <SelectBase {...rest}>
        {placeholder === undefined ? null : <option value="">{placeholder}</option>}
        {isListed || meanwhile === undefined ? null : <option value={String(rest.value)}>{meanwhile}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </SelectBase>
      <Box
        position="absolute"
        right={{ base: '2.5', md: '3.5' }}
        top="50%"
        transform="translateY(-50%)"
        color="muted"
        pointerEvents="none"
      >
        <ChevronDown size={16} aria-hidden />
      </Box>
    </Box>
  );
}
