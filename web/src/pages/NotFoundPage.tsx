import { PageTitle } from '../ui/PageTitle.tsx';

export function NotFoundPage() {
  return <PageTitle title="NotFound" />;
}
