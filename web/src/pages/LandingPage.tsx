import { PageTitle } from '../ui/PageTitle.tsx';

export function LandingPage() {
  return <PageTitle title="Landing" />;
}
