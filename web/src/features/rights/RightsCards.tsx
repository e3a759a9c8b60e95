import { Box, Flex, Grid } from '@chakra-ui/react';
import { Ban, Eye, FileJson, type LucideIcon, PauseCircle, PencilLine, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { TextLink } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { IconTile } from '../../ui/parts/IconTile.tsx';

interface RightCardProps {
  Icon: LucideIcon;
  title: string;
  children: ReactNode;
  /** The page where the right is exercised. */
  to: string;
  action: string;
}

function RightCard({ Icon, title, children, to, action }: RightCardProps) {
  return (
    <Card as="li" listStyleType="none" display="flex" flexDirection={{ base: 'row', sm: 'column' }} gap="3">
      <IconTile>
        <Icon size={20} aria-hidden />
      </IconTile>
      <Flex direction="column" flex="1" minW="0" gap="1">
        <Heading as="h2" size="sm">
          {title}
        </Heading>
        <Muted flex="1">{children}</Muted>
        <Box fontSize="sm" mb={{ base: '-3', md: '0' }} mt={{ md: '1' }}>
          <TextLink to={to}>{action}</TextLink>
        </Box>
      </Flex>
    </Card>
  );
}

const download = '/data-rights?tab=download#your-data';
const deletion = '/data-rights?tab=deletion#your-data';

/** The six rights, each with a link to the page where it is exercised. */
export function RightsCards() {
  return (
    <Grid
      as="ul"
      aria-label="Your rights"
      m="0"
      p="0"
      gap="3.5"
      templateColumns={{ base: '1fr', sm: 'repeat(2, 1fr)', xl: 'repeat(3, 1fr)' }}
    >
      <RightCard Icon={Eye} title="Right of Access" to={download} action="See your data">
        You can see everything we store about you: your profile, alerts, matches, and the mails we sent you.
      </RightCard>
      <RightCard Icon={FileJson} title="Right to Data Portability" to={download} action="Download a copy">
        You can take your data with you, in a file that other programs can read.
      </RightCard>
      <RightCard Icon={PencilLine} title="Right to Rectification" to="/settings" action="Edit your details">
        You can correct what is wrong. Your email and phone are in your settings, your alerts on their own pages.
      </RightCard>
      <RightCard Icon={Trash2} title="Right to Erasure" to={deletion} action="Request deletion">
        You can ask us to erase your account and everything that belongs to it. We do so within 30 days.
      </RightCard>
      <RightCard Icon={PauseCircle} title="Right to Restrict Processing" to="/my-alerts" action="Pause an alert">
        You can stop us from working with your data. An inactive alert neither searches nor sends mail.
      </RightCard>
      <RightCard Icon={Ban} title="Right to Object" to="/contact" action="Contact us">
        You can object to how we use your data. Write to us, and a person will answer.
      </RightCard>
    </Grid>
  );
}
