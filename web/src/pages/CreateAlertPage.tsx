import { PageTitle } from '../ui/PageTitle.tsx';

export function CreateAlertPage() {
  return <PageTitle title="CreateAlert" />;
}
