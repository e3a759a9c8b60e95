import { deletionStatuses, deletionStatusText } from '../../../lib/text/deletion-status.ts';
import { Tabs } from '../../../ui/parts/Tabs.tsx';
import { RequestList } from './RequestList.tsx';

interface DeletionRequestsProps {
  /** As the page's address says it; empty is 'pending'. */
  status: string;
  onChoose: (status: string) => void;
}

const choices = [...deletionStatuses, 'all'] as const;
const names: readonly string[] = choices;

/** What people ask to have erased, by state. */
export function DeletionRequests({ status, onChoose }: DeletionRequestsProps) {
  const tabs = choices.map((choice) => ({
    name: choice === 'all' ? 'All' : deletionStatusText(choice),
    content: <RequestList key={choice} status={choice === 'all' ? null : choice} />,
  }));
  return (
    <Tabs
      label="Status"
      quiet
      tabs={tabs}
      chosen={Math.max(0, names.indexOf(status))}
      onChoose={(index) => onChoose(choices[index] ?? '')}
    />
  );
}
