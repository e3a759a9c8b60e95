import { Box, Flex } from '@chakra-ui/react';
import { BellRing } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type KeptAlert, keptAlertText, readKeptAlert } from '../../features/alert-form/draft-alert.ts';
import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';

/** What a visitor brought along: the alert of the quick form, or the plan chosen on the landing page. */
export function KeptStrip({ chosenPlan }: { chosenPlan: string | undefined }) {
  const [alert] = useState(() => readKeptAlert());
  if (!alert && chosenPlan === undefined) return null;
  return (
    <Flex role="note" gap="3" px="4" py="3" mb="5" borderRadius="field" bg="brandSoft" fontSize="sm">
      <Box color="brand" flexShrink={0} pt="0.5">
        <BellRing size={18} aria-hidden />
      </Box>
      <Flex direction="column" gap="1" minW="0" overflowWrap="anywhere">
        {alert ? <AlertLine alert={alert} /> : null}
        {chosenPlan === undefined ? null : <Line label="You chose">{chosenPlan}</Line>}
      </Flex>
    </Flex>
  );
}

function AlertLine({ alert }: { alert: KeptAlert }) {
  const car = askedLabel(useCatalogue(), alert);
  return <Line label="Your alert is kept:">{keptAlertText(car, alert)}</Line>;
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p>
      <strong>{label}</strong> {children}
    </p>
  );
}
