import { chakra } from '@chakra-ui/react';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { TextInput } from '../../../ui/form/inputs.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import { Tooltip } from '../../../ui/parts/Tooltip.tsx';

/** A password field whose text can be shown. */
export function PasswordInput(props: ComponentProps<typeof TextInput>) {
  const [isShown, setIsShown] = useState(false);
  const name = isShown ? 'Hide what was typed' : 'Show what was typed';
  return (
    <chakra.div position="relative">
      <TextInput {...props} type={isShown ? 'text' : 'password'} pr="12" />
      <Tooltip text={name}>
        <Button
          variant="ghost"
          size="icon"
          position="absolute"
          right="1"
          top="50%"
          transform="translateY(-50%)"
          color="muted"
          aria-label={name}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
        </Button>
      </Tooltip>
    </chakra.div>
  );
}
