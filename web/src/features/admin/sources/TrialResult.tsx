import { Box, chakra, Flex } from '@chakra-ui/react';
import type { FormKind } from '@lotwatch/api/forms/sources/source-fields';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { mileageText, priceText } from '../../../lib/text/amounts.ts';
import { plural } from '../../../lib/text/time.ts';
import { Chip, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { codeText, prettyRecord } from '../admin-words.ts';
import type { SourceTrial } from './source-documents.ts';
import { placelessText, trialWords } from './source-words.ts';

interface TrialResultProps {
  trial: SourceTrial;
  kind: FormKind;
  /** Whether the form has changed since. */
  isStale: boolean;
}

/** What a trial has found: the first cars as LotWatch reads them, and what it rejected, with why. */
export function TrialResult({ trial, kind, isStale }: TrialResultProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new result gets the focus once
  useEffect(() => heading.current?.focus(), [trial]);
  const { cars, rejects, accepted, rejected } = trial;
  const words = trialWords(trial, kind);
  const placeless = placelessText(trial);
  return (
    <Box as="section" aria-labelledby="trial" mt="1" pt="5" borderTopWidth="1px" borderColor="line">
      <Flex gap="3">
        <Box color={words.isGood ? 'good' : 'bad'} pt="0.5" flexShrink={0}>
          {words.isGood ? <CircleCheck size={20} aria-hidden /> : <CircleAlert size={20} aria-hidden />}
        </Box>
        <Box minW="0">
          <Heading ref={heading} id="trial" as="h3" size="md" tabIndex={-1} borderRadius="chip">
            {words.title}
          </Heading>
          <Muted mt="1" color={words.isGood ? 'muted' : 'ink'} overflowWrap="anywhere">
            {words.text}
          </Muted>
          {placeless ? (
            <Muted mt="1" fontWeight="600" color="bad">
              {placeless}
            </Muted>
          ) : null}
          {isStale ? (
            <Muted mt="1" fontWeight="600" color="ink">
              The form has changed since: try it again.
            </Muted>
          ) : null}
        </Box>
      </Flex>
      {cars.length > 0 ? (
        <Part
          title={cars.length < accepted ? `The first ${cars.length} cars as we read them` : 'The cars as we read them'}
        >
          {cars.map((car) => (
            <CarRow key={car.externalId} car={car} />
          ))}
        </Part>
      ) : null}
      {rejects.length > 0 ? (
        <Part
          title={rejects.length < rejected ? `${rejects.length} of ${rejected} rejected records` : 'Rejected records'}
        >
          {rejects.map((reject, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: records have no key of their own, and never move
            <RejectRow key={index} reject={reject} />
          ))}
        </Part>
      ) : null}
    </Box>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box mt="6">
      <Heading as="h4" size="sm">
        {title}
      </Heading>
      <chakra.ul listStyleType="none" p="0" mt="2" aria-label={title}>
        {children}
      </chakra.ul>
    </Box>
  );
}

const Row = chakra('li', {
  base: { py: '3', borderTopWidth: '1px', borderColor: 'line', _first: { borderTopWidth: '0' } },
});

function CarRow({ car }: { car: SourceTrial['cars'][number] }) {
  const { title, year, make, model, price, mileage, location, photos } = car;
  const name = [year, make, model].filter(Boolean).join(' ');
  const facts = [
    mileage == null ? 'mileage not stated' : mileageText(mileage),
    location ?? 'place not stated',
    photos > 0 ? plural(photos, 'photo') : 'no photo',
  ];
  return (
    <Row>
      <Flex justify="space-between" gap="3" align="baseline">
        <chakra.span fontWeight="600" minW="0" overflowWrap="anywhere">
          {name || title}
        </chakra.span>
        <chakra.span flexShrink={0} fontVariantNumeric="tabular-nums" fontWeight={price == null ? '400' : '650'}>
          {priceText(price)}
        </chakra.span>
      </Flex>
      <Muted mt="0.5">{facts.join(' · ')}</Muted>
      {car.facts.length > 0 ? (
        <Muted mt="0.5" overflowWrap="anywhere">
          {car.facts.join(' · ')}
        </Muted>
      ) : null}
      {name && title !== name ? (
        <Muted mt="0.5" overflowWrap="anywhere">
          Seller’s title: {title}
        </Muted>
      ) : null}
    </Row>
  );
}

function RejectRow({ reject: { code, reason, externalId, record } }: { reject: SourceTrial['rejects'][number] }) {
  return (
    <Row>
      <Flex gap="2" align="center" wrap="wrap">
        <Chip tone="quiet">{codeText(code)}</Chip>
        <chakra.span fontSize="sm" color="muted" overflowWrap="anywhere">
          {externalId ?? 'without an ID'}
        </chakra.span>
      </Flex>
      <chakra.p mt="1" overflowWrap="anywhere">
        {reason}
      </chakra.p>
      <chakra.details mt="1">
        <chakra.summary
          fontSize="sm"
          color="brand"
          cursor="pointer"
          minH={{ base: '44px', md: '28px' }}
          display="inline-flex"
          alignItems="center"
        >
          Show the record
        </chakra.summary>
        <chakra.pre
          tabIndex={0}
          aria-label="The record as it was received"
          mt="1"
          p="3"
          maxH="240px"
          overflow="auto"
          bg="sunk"
          borderRadius="field"
          fontFamily="mono"
          fontSize="xs"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
        >
          {prettyRecord(record)}
        </chakra.pre>
      </chakra.details>
    </Row>
  );
}
