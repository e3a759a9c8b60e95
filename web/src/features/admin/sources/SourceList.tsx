import { Box, chakra, Flex } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { graphql } from '../../../gql/gql.ts';
import type { SourceCard_SourceFragment, SourceState } from '../../../gql/graphql.ts';
import { useNow } from '../../../lib/state/now.ts';
import { plural, timeAgo } from '../../../lib/text/time.ts';
import { Card, Heading } from '../../../ui/parts/Card.tsx';
import { VisuallyHidden } from '../../../ui/parts/VisuallyHidden.tsx';
import { codeText } from '../admin-words.ts';
import { faultText, intervalText, kindText, lagText, stateWords, untilText } from './source-words.ts';

const order = ['failing', 'degraded', 'waiting', 'healthy', 'stopped'];

function worstFirst(sources: readonly SourceCard_SourceFragment[]): SourceCard_SourceFragment[] {
  return sources.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.name.localeCompare(b.name));
}

interface SourceListProps {
  sources: readonly SourceCard_SourceFragment[];
  /** The address of a source's quarantined records with one reason. */
  quarantineHref: (source: string, code: string) => string;
  /** A sentence about where its settings come from; empty where there is nothing to say. */
  noteOf: (name: string) => string;
  /** What can be done with it. */
  actionsOf: (source: SourceCard_SourceFragment) => ReactNode;
}

/** Every source with its health; those with problems first. */
export function SourceList({ sources, noteOf, actionsOf, quarantineHref }: SourceListProps) {
  const now = useNow(1000);
  return (
    <chakra.ul aria-label="Sources" display="flex" flexDirection="column" gap="3.5" p="0">
      {worstFirst(sources).map((source) => (
        <SourceCard
          key={source.name}
          source={source}
          note={noteOf(source.name)}
          now={now}
          quarantineHref={quarantineHref}
        >
          {actionsOf(source)}
        </SourceCard>
      ))}
    </chakra.ul>
  );
}

export const SourceCardFragment = graphql(`
  fragment SourceCard_source on SourceHealth {
    name
    kind
    state
    everySeconds
    lastPolledAt
    lastSuccessAt
    lastCompleteAt
    nextPollAt
    isReading
    lastError
    lastErrorAt
    failures
    items
    rejects
    lagP50Ms
    lagP95Ms
    lagListings
    lastDay { accepted updated unchanged rejected }
    quarantined { code count }
  }
`);

const CodeLink = chakra(Link, {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1.5',
    minH: { base: '44px', md: '28px' },
    px: '2.5',
    borderRadius: 'chip',
    bg: 'sunk',
    color: 'ink',
    fontSize: 'xs',
    fontWeight: '600',
    _hover: { color: 'brand', textDecoration: 'underline' },
  },
});

const count = (value: number) => value.toLocaleString('en-US');

/** The health of one source. `quarantineHref` gives the address of its quarantined records with one reason. */
function SourceCard({
  source,
  note,
  now,
  quarantineHref,
  children,
}: {
  source: SourceCard_SourceFragment;
  note: string;
  now: Date;
  quarantineHref: (source: string, code: string) => string;
  children: ReactNode;
}) {
  const { name, state, lastDay, quarantined } = source;
  const isPush = source.kind === 'push';
  const since = (at: string | null | undefined) => (at ? timeAgo(at, now) : 'never');
  const interval = !isPush && source.everySeconds ? ` · ${intervalText(source.everySeconds)}` : '';
  return (
    <Card as="li" listStyleType="none" edge={state === 'failing' ? 'bad' : 'line'}>
      <Flex justify="space-between" align="baseline" gap="3" wrap="wrap">
        <Heading as="h3" size="md" overflowWrap="anywhere">
          {name}
        </Heading>
        <Flex align="center" gap="2" fontSize="sm" fontWeight="600">
          <StateDot state={state} />
          {state === 'waiting' && source.isReading ? 'Being read' : stateWords[state]}
        </Flex>
      </Flex>
      <Box color="muted" fontSize="sm" mt="0.5">
        {kindText(source.kind)}
        {interval}
        {note ? ` · ${note}` : ''}
      </Box>
      {source.lastError ? (
        <Flex gap="2" mt="3" p="3" borderRadius="field" bg="badSoft" color="bad" fontSize="sm">
          <Box flexShrink={0} pt="0.5">
            <CircleAlert size={16} aria-hidden />
          </Box>
          <Box minW="0" overflowWrap="anywhere">
            {faultText(source.lastError, source.kind)}{' '}
            {[source.lastErrorAt ? timeAgo(source.lastErrorAt, now) : '', failuresText(source.failures)]
              .filter(Boolean)
              .join(', ')}
          </Box>
        </Flex>
      ) : null}
      <chakra.dl
        display="grid"
        gridTemplateColumns={{ base: '1fr 1fr', md: 'repeat(3, 1fr)' }}
        gap={{ base: '4', md: '5' }}
        mt="4"
      >
        <Figure name={isPush ? 'Last push' : 'Last success'} value={since(source.lastSuccessAt)}>
          {nextText(source, now)}
        </Figure>
        <Figure name="Lag p50 / p95" value={lagsText(source)}>
          {source.lagListings > 0 ? `${count(source.lagListings)} timed in 24 h` : 'nothing timed in 24 h'}
        </Figure>
        <Figure name="New in 24 h" value={count(lastDay.accepted)}>
          {`${count(lastDay.updated)} changed, ${count(lastDay.unchanged)} the same`}
        </Figure>
        <Figure name="Quarantined in 24 h" value={count(lastDay.rejected)}>
          {`${count(source.rejects)} in total`}
        </Figure>
        <Figure name="Records accepted in total" value={count(source.items)} />
        {isPush ? null : <Figure name="Last complete read" value={since(source.lastCompleteAt)} />}
      </chakra.dl>
      {quarantined.length > 0 ? (
        <Flex gap="2" mt="4" wrap="wrap" align="center">
          <chakra.span fontSize="xs" color="muted">
            In quarantine
          </chakra.span>
          {quarantined.map(({ code, count: held }) => (
            <CodeLink key={code} to={quarantineHref(name, code)}>
              {codeText(code)} <chakra.span color="muted">{count(held)}</chakra.span>
              <VisuallyHidden>of {name}</VisuallyHidden>
            </CodeLink>
          ))}
        </Flex>
      ) : null}
      {children}
    </Card>
  );
}

function lagsText({ lagP50Ms, lagP95Ms }: SourceCard_SourceFragment): string {
  return lagP50Ms == null || lagP95Ms == null ? 'unknown' : `${lagText(lagP50Ms)} / ${lagText(lagP95Ms)}`;
}

/** When the source is read again; of one that is being read for the first time, how far that has come. */
function nextText({ state, isReading, nextPollAt, items, rejects }: SourceCard_SourceFragment, now: Date) {
  if (isReading)
    return state === 'waiting' ? `being read, ${plural(items + rejects, 'record')} so far` : 'being read now';
  return nextPollAt ? `next ${untilText(nextPollAt, now)}` : null;
}

const failuresText = (failures: number) => (failures > 1 ? `${failures} times in a row` : '');

function Figure({ name, value, children }: { name: string; value: string; children?: ReactNode }) {
  return (
    <Flex direction="column" minW="0">
      <chakra.dt fontSize="xs" color="muted">
        {name}
      </chakra.dt>
      <chakra.dd m="0" fontWeight="650" fontVariantNumeric="tabular-nums">
        {value}
        {children ? (
          <chakra.span display="block" fontSize="xs" fontWeight="400" color="muted">
            {children}
          </chakra.span>
        ) : null}
      </chakra.dd>
    </Flex>
  );
}

const looks: Record<SourceState, { bg: string; borderColor: string }> = {
  waiting: { bg: 'transparent', borderColor: 'muted' },
  healthy: { bg: 'good', borderColor: 'good' },
  degraded: { bg: 'transparent', borderColor: 'bad' },
  failing: { bg: 'bad', borderColor: 'bad' },
  stopped: { bg: 'muted', borderColor: 'muted' },
};

/** A source's state as a dot; the text beside it states it too. */
function StateDot({ state }: { state: SourceState }) {
  return <Box aria-hidden w="12px" h="12px" flexShrink={0} borderRadius="full" borderWidth="3px" {...looks[state]} />;
}
