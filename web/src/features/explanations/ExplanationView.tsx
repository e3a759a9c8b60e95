import { Box, chakra, Flex } from '@chakra-ui/react';
import { Check, Minus, X } from 'lucide-react';
import { Button, InlineLink } from '../../ui/parts/Button.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import { carFacts, type Explanation, verdictWords } from './explanation-words.ts';

interface ExplanationViewProps {
  explanation: Explanation;
  /** Asks about one of several cars. */
  onChoose: (id: string) => void;
}

/** Why a car is, or is not, among the matches: a sentence, the car, and a verdict for each criterion. */
export function ExplanationView({ explanation, onChoose }: ExplanationViewProps) {
  const { outcome, message, listing, verdicts, choices } = explanation;
  return (
    <Flex direction="column" gap="3" p="3.5" bg="sunk" borderRadius="field" fontSize="sm">
      {listing ? (
        <Box minW="0">
          <chakra.bdi display="block" fontWeight="600" overflowWrap="anywhere">
            {listing.title}
          </chakra.bdi>
          <chakra.span color="muted">{carFacts(listing)}</chakra.span>
        </Box>
      ) : null}
      <p>
        {message} {outcome === 'missed' ? <InlineLink to="/contact">Contact us</InlineLink> : null}
      </p>
      {verdicts.length > 0 ? <Verdicts verdicts={verdicts} /> : null}
      {choices.length > 0 ? <Choices choices={choices} onChoose={onChoose} /> : null}
    </Flex>
  );
}

const icons = {
  met: { Icon: Check, color: 'brand' },
  not_met: { Icon: X, color: 'bad' },
  not_stated: { Icon: Minus, color: 'muted' },
} as const;

const Cell = chakra('td', { base: { py: '1.5', pr: '3', verticalAlign: 'top', overflowWrap: 'anywhere' } });
const HeadCell = chakra('th', {
  base: { py: '1.5', pr: '3', verticalAlign: 'top', textAlign: 'left', fontWeight: '600' },
});

function Verdicts({ verdicts }: Pick<Explanation, 'verdicts'>) {
  return (
    <chakra.table w="full" borderCollapse="collapse" fontVariantNumeric="tabular-nums">
      <thead>
        <tr>
          <HeadCell scope="col">
            <VisuallyHidden>Criterion</VisuallyHidden>
          </HeadCell>
          <HeadCell scope="col" color="muted" fontSize="xs">
            This car
          </HeadCell>
          <HeadCell scope="col" color="muted" fontSize="xs" pr="0">
            Your alert
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {verdicts.map((verdict) => {
          const { Icon, color } = icons[verdict.verdict];
          const { name, outcome, found, asked } = verdictWords(verdict);
          return (
            <chakra.tr key={verdict.criterion} borderTopWidth="1px" borderColor="line">
              <HeadCell scope="row">
                <Flex gap="2" align="flex-start">
                  <Box color={color} pt="3px" flexShrink={0}>
                    <Icon size={15} aria-hidden />
                  </Box>
                  {name}
                  <VisuallyHidden>: {outcome}</VisuallyHidden>
                </Flex>
              </HeadCell>
              <Cell color={verdict.verdict === 'not_met' ? 'bad' : 'ink'}>{found}</Cell>
              <Cell color="muted" pr="0">
                {asked}
              </Cell>
            </chakra.tr>
          );
        })}
      </tbody>
    </chakra.table>
  );
}

function Choices({ choices, onChoose }: Pick<Explanation, 'choices'> & Pick<ExplanationViewProps, 'onChoose'>) {
  return (
    <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1.5" m="0" p="0">
      {choices.map((car) => (
        <li key={car.id}>
          <Button
            variant="outline"
            w="full"
            py="2"
            justifyContent="flex-start"
            textAlign="left"
            onClick={() => onChoose(car.id)}
          >
            <Box minW="0">
              <chakra.bdi display="block" overflowWrap="anywhere">
                {car.title}
              </chakra.bdi>
              <chakra.span color="muted" fontWeight="400">
                {carFacts(car)}
              </chakra.span>
            </Box>
          </Button>
        </li>
      ))}
    </chakra.ul>
  );
}
