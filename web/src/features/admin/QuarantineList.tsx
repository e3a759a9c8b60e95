import { chakra, Flex } from '@chakra-ui/react';
import { useRef } from 'react';
import type { QuarantineQuery } from '../../gql/graphql.ts';
import { useNow } from '../../lib/state/now.ts';
import { plural } from '../../lib/text/time.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Heading } from '../../ui/parts/Card.tsx';
import { EmptyState } from '../../ui/parts/states.tsx';
import { Older } from './Older.tsx';
import type { QuarantineChoice } from './QuarantineFilter.tsx';
import { QuarantineRow } from './QuarantineRow.tsx';
import { useQuarantineActions } from './use-quarantine-actions.ts';

interface QuarantineListProps {
  page: QuarantineQuery['quarantine'];
  choice: QuarantineChoice;
  loadOlder: () => Promise<unknown>;
}

/** What was set aside, newest first, with another try for one record or for all that the filter shows. */
export function QuarantineList({ page, choice, loadOlder }: QuarantineListProps) {
  const now = useNow(30_000);
  const title = useRef<HTMLHeadingElement>(null);
  const { tried, retry, dismiss } = useQuarantineActions(choice, () => {
    // The row whose button had the focus is gone: go on from the top of the list.
    if (document.activeElement === document.body) title.current?.focus();
  });
  const filter = { source: choice.source || undefined, code: choice.code || undefined };
  const busy = tried !== null;
  return (
    <Flex direction="column" gap="3.5">
      <Flex justify="space-between" align="center" gap="3" wrap="wrap" minH="11">
        <Heading ref={title} tabIndex={-1} size="md" borderRadius="chip">
          {page.total === 0 ? 'No records' : plural(page.total, 'record')}
        </Heading>
        {page.retryable > 0 ? (
          <Button disabled={busy} onClick={() => void retry(filter)}>
            {busy && tried > 0 ? `Trying… ${tried.toLocaleString('en-US')}` : retryAllText(page.retryable, choice)}
          </Button>
        ) : null}
      </Flex>
      {page.nodes.length === 0 ? (
        <EmptyState title="Nothing is set aside">
          {filter.source || filter.code
            ? 'No record of this source was set aside for this reason.'
            : 'Every record of every source was understood.'}
        </EmptyState>
      ) : (
        <chakra.ul aria-label="Quarantine" display="flex" flexDirection="column" gap="2.5" p="0">
          {page.nodes.map((record) => (
            <QuarantineRow
              key={record.id}
              record={record}
              now={now}
              busy={busy}
              onRetry={() => void retry({ ids: [record.id] })}
              onDismiss={() => void dismiss(record.id)}
            />
          ))}
        </chakra.ul>
      )}
      {page.hasMore ? <Older what="records" load={loadOlder} /> : null}
    </Flex>
  );
}

function retryAllText(retryable: number, choice: QuarantineChoice): string {
  const which = choice.source || choice.code ? 'of these' : '';
  return `Try ${['all', retryable.toLocaleString('en-US'), which].filter(Boolean).join(' ')} again`;
}
