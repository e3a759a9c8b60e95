import { Box, chakra, Flex } from '@chakra-ui/react';
import type { SourceState } from '../../gql/graphql.ts';
import { durationText, timeAgo } from '../../lib/text/time.ts';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import type { Status } from './status-document.ts';
import { channelName, publicStateWords, tooFew } from './status-words.ts';

const Table = chakra('table', { base: { w: 'full', fontSize: 'sm', borderCollapse: 'collapse' } });

const Head = chakra('th', {
  base: {
    py: '2',
    fontSize: 'xs',
    fontWeight: '600',
    color: 'muted',
    textAlign: 'left',
    verticalAlign: 'bottom',
    _notFirst: { w: { base: '68px', md: '150px' }, pl: '1.5', textAlign: 'right' },
  },
});

const Cell = chakra('td', {
  base: {
    py: '3',
    pl: '1.5',
    borderTopWidth: '1px',
    borderColor: 'line',
    textAlign: 'right',
    verticalAlign: 'top',
    fontWeight: '600',
    fontVariantNumeric: 'tabular-nums',
  },
});

const RowHead = chakra('th', {
  base: {
    py: '3',
    borderTopWidth: '1px',
    borderColor: 'line',
    textAlign: 'left',
    verticalAlign: 'top',
    fontWeight: '600',
    overflowWrap: 'anywhere',
  },
});

const Small = chakra('span', {
  base: { display: 'block', mt: '0.5', fontSize: 'xs', fontWeight: '400', color: 'muted' },
});

function Heads({ of }: { of: string }) {
  return (
    <thead>
      <tr>
        <Head scope="col">{of}</Head>
        <Head scope="col">Half within</Head>
        <Head scope="col">95% within</Head>
      </tr>
    </thead>
  );
}

/** The two figures of a row, or that there are none. */
function Figures({ p50Ms, p95Ms }: { p50Ms: number | null; p95Ms: number | null }) {
  return [p50Ms, p95Ms].map((ms, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the two are always in this order
    <Cell key={index} color={ms === null ? 'muted' : 'ink'}>
      {ms === null ? (
        <>
          <span aria-hidden>–</span>
          <VisuallyHidden>not known</VisuallyHidden>
        </>
      ) : (
        durationText(ms)
      )}
    </Cell>
  ));
}

const dots: Readonly<Record<SourceState, { bg: string; borderColor: string }>> = {
  waiting: { bg: 'transparent', borderColor: 'muted' },
  healthy: { bg: 'good', borderColor: 'good' },
  degraded: { bg: 'transparent', borderColor: 'bad' },
  failing: { bg: 'bad', borderColor: 'bad' },
  stopped: { bg: 'muted', borderColor: 'muted' },
};

/** How far we are behind each source. */
export function SourceTable({ sources, now }: { sources: Status['sources']; now: Date }) {
  if (sources.length === 0) return <Nothing>No source is read yet.</Nothing>;
  return (
    <Table>
      <VisuallyHidden as="caption">Sources</VisuallyHidden>
      <Heads of="Source" />
      <tbody>
        {sources.map(({ name, state, lastSuccessAt, lagP50Ms, lagP95Ms, lagListings }) => (
          <tr key={name}>
            <RowHead scope="row">
              {name}
              <Small>
                <Flex as="span" align="center" gap="2">
                  <Box
                    as="span"
                    aria-hidden
                    w="10px"
                    h="10px"
                    flexShrink={0}
                    borderRadius="full"
                    borderWidth="2px"
                    {...dots[state]}
                  />
                  <span>
                    {publicStateWords[state]}
                    {lastSuccessAt ? ` · read ${timeAgo(lastSuccessAt, now)}` : ''}
                  </span>
                </Flex>
              </Small>
              {lagP50Ms === null ? <Small>{tooFew(lagListings, 'new listing')}</Small> : null}
            </RowHead>
            <Figures p50Ms={lagP50Ms} p95Ms={lagP95Ms} />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** How fast each channel delivers, in a day and in 30 days. */
export function ChannelTable({ channels }: { channels: Status['channels'] }) {
  return (
    <Table>
      <VisuallyHidden as="caption">Messages</VisuallyHidden>
      <Heads of="Channel" />
      {channels.map(({ channel, lastDay, last30Days }) => (
        <tbody key={channel}>
          <tr>
            <RowHead scope="rowgroup" colSpan={3} pb="0">
              {channelName(channel)}
            </RowHead>
          </tr>
          <DelayRow period="Last 24 hours" delays={lastDay} />
          <DelayRow period="Last 30 days" delays={last30Days} />
        </tbody>
      ))}
    </Table>
  );
}

function DelayRow({ period, delays }: { period: string; delays: Status['channels'][number]['lastDay'] }) {
  return (
    <chakra.tr css={{ '& > *': { borderTopWidth: '0', paddingTop: '4px' } }}>
      <RowHead scope="row" fontWeight="400" color="muted">
        {period}
        {delays.p50Ms === null ? <Small>{tooFew(delays.matches, 'match', 'matches')}</Small> : null}
      </RowHead>
      <Figures p50Ms={delays.p50Ms} p95Ms={delays.p95Ms} />
    </chakra.tr>
  );
}

function Nothing({ children }: { children: string }) {
  return (
    <Box bg="sunk" borderRadius="field" p="5" textAlign="center" color="muted">
      {children}
    </Box>
  );
}
