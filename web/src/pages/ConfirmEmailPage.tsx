import { PageTitle } from '../ui/PageTitle.tsx';

export function ConfirmEmailPage() {
  return <PageTitle title="ConfirmEmail" />;
}
