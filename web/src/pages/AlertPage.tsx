import { PageTitle } from '../ui/PageTitle.tsx';

export function AlertPage() {
  return <PageTitle title="Alert" />;
}
