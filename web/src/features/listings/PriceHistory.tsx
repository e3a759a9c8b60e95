import { Box, chakra, Flex } from '@chakra-ui/react';
import { TrendingDown, TrendingUp } from 'lucide-react';
import { dollars, priceText } from '../../lib/text/amounts.ts';
import { dayText } from '../../lib/text/time.ts';
import { LineDisclosure } from '../../ui/parts/LineDisclosure.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import { priceBefore } from './listing-facts.ts';

interface PriceHistoryProps {
  history: readonly { price?: number | null; seenAt: string }[];
  price: number | null | undefined;
  now: Date;
}

/** The car's previous price in a line, and all prices when opened. Nothing if there was only one. */
export function PriceHistory({ history, price, now }: PriceHistoryProps) {
  const before = priceBefore(history, price);
  if (!before) return null;
  const Trend = before.isLower ? TrendingDown : TrendingUp;
  return (
    <LineDisclosure
      summary={
        <>
          <Box color={before.isLower ? 'good' : 'muted'}>
            <Trend size={14} aria-hidden />
          </Box>
          <VisuallyHidden>{before.isLower ? 'Price went down,' : 'Price went up,'}</VisuallyHidden>
          was {dollars(before.price)} · {dayText(before.seenAt, now)}
        </>
      }
    >
      <Flex as="ol" aria-label="Price history" direction="column" gap="1" listStyleType="none" py="1" maxW="220px">
        {history.map((point) => (
          <Flex as="li" key={`${point.seenAt} ${point.price}`} justify="space-between" gap="4">
            <span>{dayText(point.seenAt, now)}</span>
            <chakra.span color="ink">{priceText(point.price)}</chakra.span>
          </Flex>
        ))}
      </Flex>
    </LineDisclosure>
  );
}
