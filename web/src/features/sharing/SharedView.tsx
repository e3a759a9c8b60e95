import { useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { alertSchema } from '@lotwatch/api/forms/alert';
import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { useNow } from '../../lib/state/now.ts';
import { plural, pluralMatches } from '../../lib/text/time.ts';
import { Button, LinkButton } from '../../ui/parts/Button.tsx';
import { Badge, Muted } from '../../ui/parts/Card.tsx';
import { PageTitle, useDocumentTitle } from '../../ui/parts/PageTitle.tsx';
import { EmptyState, ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import { useViewer } from '../account/viewer.ts';
import { fromAlert } from '../alert-form/alert-form-values.ts';
import { useStartAlert } from '../alert-form/use-start-alert.tsx';
import { AlertCriteria } from '../alerts/AlertDetail.tsx';
import { FirstPhoto } from '../listings/ListingPhoto.tsx';
import { ListingSkeletons } from '../listings/ListingSkeletons.tsx';
import { SharedCarCard } from './SharedCarCard.tsx';
import { type SharedAlert, type SharedCar, SharedDocument } from './sharing-documents.ts';

/** The alert or list behind a link, or that the link does not work. */
export function SharedView({ token }: { token: string }) {
  // A link that was ended must not be shown from the cache.
  const result = useQuery(SharedDocument, { variables: { token }, fetchPolicy: 'network-only' });
  const error = useFailure(result);
  if (result.data) {
    const { shared } = result.data;
    if (!shared) return <SharedEnded />;
    return (
      <>
        {shared.alert ? (
          <AlertHead alert={shared.alert} count={shared.cars.length} />
        ) : (
          <PageTitle
            title="Shared Cars"
            mark={<Badge tone="brand">{plural(shared.cars.length, 'car')}</Badge>}
            subtitle="Somebody chose these cars to show them to you. Prices are those of now."
            actions={
              <LinkButton to="/" variant="outline">
                Find cars with LotWatch
              </LinkButton>
            }
          />
        )}
        <Cars cars={shared.cars} isAlert={Boolean(shared.alert)} />
      </>
    );
  }
  return error ? (
    <ErrorPanel title="The shared cars could not be loaded" level="h1" onRetry={() => result.refetch()}>
      {readFault(error).message}
    </ErrorPanel>
  ) : (
    <SharedLoading />
  );
}

function AlertHead({ alert, count }: { alert: SharedAlert; count: number }) {
  const catalogue = useCatalogue();
  const { viewer } = useViewer();
  const { start, dialog } = useStartAlert(viewer !== null);
  const stated = { ...alert, location: alert.place };
  return (
    <>
      <PageTitle
        title={askedLabel(catalogue, alert)}
        mark={<Badge tone="brand">{count === 0 ? 'Shared alert' : pluralMatches(count, 'car')}</Badge>}
        subtitle={<AlertCriteria alert={stated} />}
        actions={
          <Button onClick={() => start(fromAlert({ ...alertSchema.getDefault(), ...stated }))}>
            Make an alert like this
          </Button>
        }
      />
      <Muted mt="3">
        Somebody looks for these cars. You see what is for sale now, the newest first, measured from the middle of{' '}
        {alert.place}.{alert.asksForWords ? ' Titles are also narrowed by words, which are not shown.' : ''}
      </Muted>
      {dialog}
    </>
  );
}

function Cars({ cars, isAlert }: { cars: readonly SharedCar[]; isAlert: boolean }) {
  const now = useNow(30_000);
  if (cars.length === 0) {
    return (
      <Box mt="6">
        {isAlert ? (
          <EmptyState title="No cars match right now" level="h2">
            New ones appear on this page as soon as they are listed. Open it again later.
          </EmptyState>
        ) : (
          <EmptyState title="These cars can't be found any more" level="h2">
            They were taken off this list, or listed too long ago.
          </EmptyState>
        )}
      </Box>
    );
  }
  return (
    <Box as="section" aria-labelledby="shared-cars" mt="6">
      <VisuallyHidden as="h2" id="shared-cars">
        Cars
      </VisuallyHidden>
      <Flex as="ul" direction="column" gap="3.5" listStyleType="none">
        {cars.map((car, index) => (
          // They come together, and none is moved or removed.
          // biome-ignore lint/suspicious/noArrayIndexKey: a shared car has no id
          <li key={index}>
            <FirstPhoto value={index === 0}>
              <SharedCarCard car={car} now={now} />
            </FirstPhoto>
          </li>
        ))}
      </Flex>
    </Box>
  );
}

function SharedEnded() {
  useDocumentTitle('This link does not work');
  return (
    <ErrorPanel
      title="This link does not work"
      level="h1"
      back={<LinkButton to="/">Find cars with LotWatch</LinkButton>}
    >
      Whoever shared it has ended it, it has expired, or it never was one. Ask them for a new link.
    </ErrorPanel>
  );
}

function SharedLoading() {
  useDocumentTitle('Shared cars');
  return (
    <>
      <VisuallyHidden as="h1">Shared cars</VisuallyHidden>
      <LoadingNote>Loading the shared cars</LoadingNote>
      <Flex direction="column" gap="3" mb="6" aria-hidden>
        <Skeleton h="40px" w="min(320px, 70%)" />
        <Skeleton h="20px" w="min(460px, 90%)" />
      </Flex>
      <ListingSkeletons />
    </>
  );
}
