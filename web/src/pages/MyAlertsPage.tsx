import { PageTitle } from '../ui/PageTitle.tsx';

export function MyAlertsPage() {
  return <PageTitle title="MyAlerts" />;
}
