import { Grid } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { WhyNotBox } from '../../features/explanations/WhyNotBox.tsx';
import type { AlertFacts_AlertFragment } from '../../gql/graphql.ts';
import { FormError } from '../../ui/form/FormError.tsx';
import { Disclosure } from '../../ui/parts/Disclosure.tsx';
import { Skeleton } from '../../ui/parts/states.tsx';

const NotLoaded = (_props: object) => (
  <FormError>This could not be loaded. Please check your connection, then reload the page.</FormError>
);

/** Loaded when it is first opened. */
const LazyPreview = lazy(() =>
  import('../../features/preview/AlertPreview.tsx').then(
    (module): { default: typeof module.AlertPreview } => ({ default: module.AlertPreview }),
    () => ({ default: NotLoaded }),
  ),
);
/** What one asks of an alert: what would change it, and why a car is missing. */
export function AlertQuestions({ alert, inCard }: { alert: AlertFacts_AlertFragment; inCard: boolean }) {
  return (
    <Grid
      templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
      gap={inCard ? '0' : '3'}
      alignItems="start"
    >
      <Disclosure
        inCard={inCard}
        title="What would change it"
        hint="How many cars it brings, and which step would bring more."
      >
        <Suspense fallback={<Skeleton h="120px" borderRadius="field" />}>
          <LazyPreview alert={alert} />
        </Suspense>
      </Disclosure>
      <Disclosure inCard={inCard} title="Why is a car missing?" hint="Name a car that you expected here, and see why.">
        <WhyNotBox alertId={alert.id} />
      </Disclosure>
    </Grid>
  );
}
