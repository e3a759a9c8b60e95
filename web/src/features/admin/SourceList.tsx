import { chakra } from '@chakra-ui/react';
import type { SourceCard_SourceFragment } from '../../gql/graphql.ts';
import { useNow } from '../../lib/state/now.ts';
import { SourceCard } from './SourceCard.tsx';

const order = ['failing', 'degraded', 'waiting', 'healthy', 'stopped'];

function inTroubleFirst(sources: readonly SourceCard_SourceFragment[]): SourceCard_SourceFragment[] {
  return sources.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.name.localeCompare(b.name));
}

interface SourceListProps {
  sources: readonly SourceCard_SourceFragment[];
  /** The address that shows what was set aside of a source for a reason. */
  quarantineOf: (source: string, code: string) => string;
}

/** Every source with its health; those in trouble first. */
export function SourceList({ sources, quarantineOf }: SourceListProps) {
  const now = useNow(1000);
  return (
    <chakra.ul aria-label="Sources" display="flex" flexDirection="column" gap="3.5" p="0">
      {inTroubleFirst(sources).map((source) => (
        <SourceCard key={source.name} source={source} now={now} quarantineOf={quarantineOf} />
      ))}
    </chakra.ul>
  );
}
