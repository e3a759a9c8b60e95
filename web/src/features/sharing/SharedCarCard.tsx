import { Box, chakra, Flex } from '@chakra-ui/react';
import { badTitleText } from '@lotwatch/api/forms/shown-facts';
import { memo, useId } from 'react';
import { Badge, Card } from '../../ui/parts/Card.tsx';
import {
  CardAge,
  CardFacts,
  CardLayout,
  CardPrice,
  CardTitle,
  DemoMark,
  ViewOnMarketplace,
} from '../listings/card-parts.tsx';
import { ListingPhoto } from '../listings/ListingPhoto.tsx';
import { endedTexts, placeText } from '../listings/listing-facts.ts';
import { PriceFairness } from '../listings/PriceFairness.tsx';
import type { SharedCar } from './sharing-documents.ts';

/** A car of a shared link: what a card shows of it to everybody, and nothing to press but its page. */
export const SharedCarCard = memo(function SharedCarCard({ car, now }: { car: SharedCar; now: Date }) {
  const titleId = useId();
  const ended = car.status === 'for_sale' ? null : endedTexts[car.status];
  const badTitle = badTitleText(car.titleStatus);
  return (
    <Card pad="none">
      <CardLayout aria-labelledby={titleId} css={{ '--photo': '240px' }}>
        <Box position="relative" alignSelf="start">
          <ListingPhoto images={car.photos} title={car.title} color={car.color} dimmed={ended !== null} />
          <DemoMark title={car.title} />
        </Box>
        <Flex direction="column" minW="0" gap="1">
          <Flex justify="space-between" align="flex-start" gap="3" minH="22px">
            <Flex gap="2" align="center" wrap="wrap" minH="22px" minW="0">
              <CardAge createdAt={car.createdAt} now={now} />
              {ended ? <Badge tone="quiet">{ended}</Badge> : null}
              {badTitle ? <Badge tone="bad">{badTitle}</Badge> : null}
            </Flex>
            <CardPrice price={car.price} />
          </Flex>
          <CardTitle titleId={titleId} id={null} title={car.title} marketplaceUrl={car.marketplaceUrl} />
          <CardFacts listing={car} />
          <chakra.bdi fontSize="sm" overflowWrap="anywhere">
            {placeText(car.location)}
          </chakra.bdi>
          {ended ? null : <PriceFairness listing={car} />}
          <Flex mt="auto" pt="2" direction={{ base: 'column', sm: 'row' }} justify="flex-end">
            <ViewOnMarketplace id={null} marketplaceUrl={car.marketplaceUrl} describedBy={titleId} />
          </Flex>
        </Flex>
      </CardLayout>
    </Card>
  );
});
