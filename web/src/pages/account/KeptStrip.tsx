import { Box, Flex } from '@chakra-ui/react';
import { BellRing } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { type KeptAlert, keptAlertText, readKeptAlert } from '../../features/alert-form/draft-alert.ts';
import { usePlans } from '../../features/billing/plans.ts';
import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';
import { useDrawn } from '../../lib/state/drawn.ts';
import { planPrice } from '../../lib/text/amounts.ts';
import { plural } from '../../lib/text/time.ts';

/** What a visitor brought along: the alert of the quick form, or the plan chosen on the landing page. */
export function KeptStrip({ plan, sent }: { plan: string | null; sent: KeptAlert | null }) {
  const isDrawn = useDrawn();
  const stored = useRef<KeptAlert>(null);
  if (!isDrawn) stored.current ??= readKeptAlert();
  const alert = sent ?? stored.current;
  if (!alert && !plan) return null;
  return (
    <Flex role="note" gap="3" px="4" py="3" mb="5" borderRadius="field" bg="brandSoft" fontSize="sm">
      <Box color="brand" flexShrink={0} pt="0.5">
        <BellRing size={18} aria-hidden />
      </Box>
      <Flex direction="column" gap="1" minW="0" overflowWrap="anywhere">
        {alert ? <AlertLine alert={alert} /> : null}
        {plan ? <PlanLine id={plan} /> : null}
      </Flex>
    </Flex>
  );
}

/** The plan chosen on the landing page; a paid one is paid after the account is made. */
function PlanLine({ id }: { id: string }) {
  const plan = usePlans().plans?.find((one) => one.id === id);
  if (!plan) return null;
  const alerts = plural(plan.alertLimit, 'alert');
  return (
    <Line label="You chose">
      {Number(plan.monthlyPrice) === 0
        ? `${plan.name} · ${alerts} · no credit card`
        : `${plan.name} · ${alerts} · ${planPrice(plan.monthlyPrice)} per month. You pay after creating your account.`}
    </Line>
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
