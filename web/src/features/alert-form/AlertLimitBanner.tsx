import { Box, Flex } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import { Button, LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';

interface AlertLimitBannerProps {
  used: number;
  limit: number;
  onDismiss: () => void;
}

/** Above the create form when the plan allows no further alert. */
export function AlertLimitBanner({ used, limit, onDismiss }: AlertLimitBannerProps) {
  return (
    <Card as="section" role="status" edge="bad" aria-label="Alert Limit Reached">
      <Flex gap="3" align="flex-start">
        <Box color="bad" pt="0.5">
          <CircleAlert size={20} aria-hidden />
        </Box>
        <Box>
          <Heading as="h2" size="md">
            Alert Limit Reached
          </Heading>
          <Muted mt="1" textWrap="balance">
            You've reached the maximum number of alerts for your current subscription plan ({used} of {limit}).
          </Muted>
          <Flex gap="3" mt="4" wrap="wrap">
            <LinkButton to="/subscription">Upgrade Subscription</LinkButton>
            <Button variant="outline" onClick={onDismiss}>
              Dismiss
            </Button>
          </Flex>
        </Box>
      </Flex>
    </Card>
  );
}
