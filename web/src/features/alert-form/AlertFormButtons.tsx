import { Flex } from '@chakra-ui/react';
import { useFormikContext } from 'formik';
import type { ReactNode } from 'react';
import { Button, LinkButton } from '../../ui/parts/Button.tsx';
import type { PausableAlert } from './use-pausable-alert.ts';

interface AlertFormButtonsProps {
  isEdit: boolean;
  /** Where the plan is full: an alert that can be switched off for this one. */
  pausable: PausableAlert | undefined;
  /** Called before the form is sent: the id of the alert to switch off, or undefined for none. */
  onPause: (id: string | undefined) => void;
}

/** What sends the form, or leaves it. On a phone the first button that works stays above the bottom bar. */
export function AlertFormButtons({ isEdit, pausable, onPause }: AlertFormButtonsProps) {
  const { isSubmitting, submitForm } = useFormikContext();
  const submit = (
    <Button
      type="submit"
      variant={pausable ? 'outline' : 'solid'}
      size="lg"
      disabled={isSubmitting}
      minW="160px"
      flexGrow={{ base: 1, md: 0 }}
      order={{ base: 1, md: 0 }}
      onClick={() => onPause(undefined)}
    >
      {submitText(isEdit, isSubmitting)}
    </Button>
  );
  return (
    <Flex display={{ base: 'contents', md: 'flex' }} gap="3" wrap="wrap" justify="flex-end">
      <LinkButton to="/" variant="outline" size="lg" order={{ base: 2, md: 0 }}>
        Cancel
      </LinkButton>
      {pausable ? submit : null}
      <FootBar>
        {pausable ? (
          <Button
            size="lg"
            flexGrow={{ base: 1, md: 0 }}
            disabled={isSubmitting}
            onClick={() => {
              onPause(pausable.id);
              void submitForm();
            }}
          >
            Pause {pausable.name} and create this
          </Button>
        ) : (
          submit
        )}
      </FootBar>
    </Flex>
  );
}

function submitText(isEdit: boolean, isSubmitting: boolean): string {
  if (isEdit) return isSubmitting ? 'Updating...' : 'Update Alert';
  return isSubmitting ? 'Creating...' : 'Create Alert';
}

function FootBar({ children }: { children: ReactNode }) {
  return (
    <Flex
      data-covers-foot
      position={{ base: 'sticky', md: 'static' }}
      bottom="var(--bottom-bar)"
      zIndex="1"
      mx={{ base: '-4', md: '0' }}
      px={{ base: '4', md: '0' }}
      py={{ base: '2.5', md: '0' }}
      bg={{ base: 'bg', md: 'transparent' }}
      borderTopWidth={{ base: '1px', md: '0' }}
      borderColor="line"
      // On a window this low the form would have no room left.
      css={{ '@media (max-height: 479px)': { position: 'static' } }}
    >
      {children}
    </Flex>
  );
}
