import { useApolloClient, useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { Info, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { SourcesQuery } from '../../../gql/graphql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { useSiteChanges } from '../../../lib/server/site.ts';
import { Button, LinkButton } from '../../../ui/parts/Button.tsx';
import { Muted } from '../../../ui/parts/Card.tsx';
import { ConfirmDialog } from '../../../ui/parts/ConfirmDialog.tsx';
import { EmptyState, ErrorPanel } from '../../../ui/parts/states.tsx';
import { AdminSkeletons } from '../AdminSkeletons.tsx';
import { KindChooser } from './KindChooser.tsx';
import { guideOf, isFormGuide } from './kind-guides.ts';
import { PushGuide } from './PushGuide.tsx';
import { SourceEditor } from './SourceEditor.tsx';
import { SourceList } from './SourceList.tsx';
import { SourcesDocument } from './source-documents.ts';
import { originText } from './source-words.ts';
import { type SourceActions, useSourceActions } from './use-source-actions.ts';

/** Which part of the section is shown, as the page's address says it. */
export interface SourcesPlace {
  /** 'kinds', or the id of a guide. */
  add?: string;
  /** The name of the source that is edited. */
  edit?: string;
}

interface SourcesSectionProps {
  place: SourcesPlace;
  hrefOf: (place: SourcesPlace) => string;
  onGo: (place: SourcesPlace) => void;
  /** The address of a source's quarantined records with one reason. */
  quarantineHref: (source: string, code: string) => string;
}

const FIRST_READ_MS = 3_000;

/** The sources of listings with their health, and what the admin does with them. */
export function SourcesSection(props: SourcesSectionProps) {
  const client = useApolloClient();
  const result = useQuery(SourcesDocument);
  const error = useFailure(result);
  const actions = useSourceActions();
  const { data, startPolling, stopPolling } = result;
  const isWaiting = data?.sourceHealth.some(({ state, kind }) => state === 'waiting' && kind !== 'push') ?? false;
  useEffect(() => {
    if (!isWaiting) return;
    startPolling(FIRST_READ_MS);
    return stopPolling;
  }, [isWaiting, startPolling, stopPolling]);
  useSiteChanges(() => {
    // Its counts depend on the other lists, so it is fetched when it is shown.
    client.cache.evict({ id: 'ROOT_QUERY', fieldName: 'quarantine' });
    if (!document.hidden) result.refetch().catch(() => undefined);
  });
  if (data) return <Shown {...props} data={data} actions={actions} />;
  if (!error) return <AdminSkeletons what="the sources" h="24" />;
  return (
    <ErrorPanel title="The sources could not be loaded" onRetry={() => result.refetch()}>
      {readFault(error).message}
    </ErrorPanel>
  );
}

interface ShownProps extends SourcesSectionProps {
  data: SourcesQuery;
  actions: SourceActions;
}

function Shown(props: ShownProps) {
  const { data, actions, place, hrefOf, onGo } = props;
  const { privateNetwork, push } = data.sourceOptions;
  const list = { href: hrefOf({}), text: 'Sources' };
  const editor = { allowsPrivateNetwork: privateNetwork, actions, onSaved: () => onGo({}) };
  if (place.edit) {
    const source = data.sources.find(({ name }) => name === place.edit);
    const guide = source?.origin === 'browser' ? guideOf(source.kind) : undefined;
    if (source && isFormGuide(guide)) return <SourceEditor {...editor} guide={guide} source={source} back={list} />;
    return (
      <EmptyState title="There is nothing to edit" action={<LinkButton to={list.href}>Sources</LinkButton>}>
        This source is not set up in the browser.
      </EmptyState>
    );
  }
  const guide = place.add ? guideOf(place.add) : undefined;
  const kinds = { href: hrefOf({ add: 'kinds' }), text: 'Another kind' };
  if (isFormGuide(guide)) return <SourceEditor {...editor} key={guide.id} guide={guide} back={kinds} />;
  if (guide) return <PushGuide isOn={push} back={kinds} />;
  if (place.add) return <KindChooser hrefOf={(id) => hrefOf({ add: id })} back={list} />;
  return <Overview {...props} />;
}

function Overview({ data, actions, hrefOf, quarantineHref }: ShownProps) {
  const [stopping, setStopping] = useState<string | null>(null);
  const origins = new Map(data.sources.map(({ name, origin, replacedAt }) => [name, { origin, replacedAt }]));
  const isDemoOn = data.sourceHealth.some(
    ({ name, state }) => origins.get(name)?.origin === 'demo' && state !== 'stopped',
  );
  const hasOwn = data.sources.some(({ origin }) => origin === 'browser' || origin === 'settings');
  return (
    <Flex direction="column" gap="4">
      {hasOwn ? (
        <Flex justify="space-between" align="center" gap="3" wrap="wrap">
          <Muted flex="1 1 240px">Where listings come from, those with problems first.</Muted>
          <LinkButton to={hrefOf({ add: 'kinds' })}>
            <Plus size={16} aria-hidden />
            Add a Source
          </LinkButton>
        </Flex>
      ) : (
        <KindChooser hrefOf={(id) => hrefOf({ add: id })} />
      )}
      {isDemoOn ? <DemoNote hasOwn={hasOwn} /> : null}
      {data.sourceHealth.length > 0 ? (
        <SourceList
          sources={data.sourceHealth}
          quarantineHref={quarantineHref}
          noteOf={(name) => {
            const found = origins.get(name);
            if (!found) return '';
            const replaced = found.replacedAt ? ' It has taken the place of what was set here.' : '';
            return originText(found.origin) + replaced;
          }}
          actionsOf={({ name, kind, state }) =>
            kind === 'push' ? null : (
              <Flex gap="2" wrap="wrap" mt="4">
                {origins.get(name)?.origin === 'browser' ? (
                  <LinkButton to={hrefOf({ edit: name })} variant="outline" size="sm" aria-label={`Edit ${name}`}>
                    Edit
                  </LinkButton>
                ) : null}
                {state === 'stopped' ? (
                  <Button
                    variant="outline"
                    size="sm"
                    aria-label={`Start Again: ${name}`}
                    onClick={() => void actions.resume(name)}
                  >
                    Start Again
                  </Button>
                ) : (
                  <Button variant="outline" size="sm" aria-label={`Stop ${name}`} onClick={() => setStopping(name)}>
                    Stop
                  </Button>
                )}
              </Flex>
            )
          }
        />
      ) : null}
      {stopping === null ? null : (
        <ConfirmDialog
          title={`Stop ${stopping}?`}
          button="Stop Reading"
          acting="Stopping..."
          act={() => actions.end(stopping)}
          onClose={() => setStopping(null)}
        >
          It is not read any more until you start it again, also after a restart. Its cars stay until 30 days after they
          were last seen.
        </ConfirmDialog>
      )}
    </Flex>
  );
}

function DemoNote({ hasOwn }: { hasOwn: boolean }) {
  return (
    <Flex
      as="section"
      aria-label="Demo marketplace"
      gap="3"
      p="4"
      borderRadius="field"
      bg="beamSoft"
      color="onBeamSoft"
    >
      <Box flexShrink={0} pt="0.5">
        <Info size={18} aria-hidden />
      </Box>
      <Box fontSize="sm" textWrap="pretty">
        The demo marketplace is on: its cars are made up. It runs while SOURCES_FILE is not set, and until you stop it
        below.{hasOwn ? ' Now that you have a source of your own, stop it so that nobody is told about its cars.' : ''}
      </Box>
    </Flex>
  );
}
