import { PageTitle } from '../ui/PageTitle.tsx';

export function EditAlertPage() {
  return <PageTitle title="EditAlert" />;
}
