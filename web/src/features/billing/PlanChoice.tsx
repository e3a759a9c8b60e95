import type { PlanGrid_PlanFragment } from '../../gql/graphql.ts';
import { plural } from '../../lib/text/time.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Badge } from '../../ui/parts/Card.tsx';
import { AlertMeter } from './AlertMeter.tsx';
import { PlanCard, PlanMark } from './PlanCard.tsx';
import { PlanGrid } from './PlanGrid.tsx';
import { choiceText } from './plans.ts';
import type { SubscriptionUse } from './subscription.ts';
import { useSubscribe } from './use-subscribe.ts';

interface PlanChoiceProps {
  /** Undefined while loading. */
  plans: readonly PlanGrid_PlanFragment[] | undefined;
  /** Undefined where it could not be loaded. */
  use: SubscriptionUse | undefined;
}

/** The plans with a button each; the viewer's own is marked. */
export function PlanChoice({ plans, use }: PlanChoiceProps) {
  const { choose, chosenId } = useSubscribe();
  const currentId = use?.current.planId;
  return (
    <PlanGrid plans={plans} hasNotes>
      {(plan) => {
        const isCurrent = plan.id === currentId;
        return (
          <PlanCard
            key={plan.id}
            plan={plan}
            headingLevel={2}
            isMarked={isCurrent}
            mark={isCurrent ? <PlanMark>Current Plan</PlanMark> : null}
            tag={plan.isPopular ? <Badge>Most Popular</Badge> : null}
            note={<LimitNote limit={plan.alertLimit} used={use?.allowance.alertsUsed ?? 0} />}
            action={
              <ChooseButton
                plan={plan}
                isCurrent={isCurrent}
                isPending={plan.id === chosenId}
                isLocked={chosenId !== null}
                onChoose={() => void choose(plan.id)}
              />
            }
          />
        );
      }}
    </PlanGrid>
  );
}

function LimitNote({ limit, used }: { limit: number; used: number }) {
  return (
    <AlertMeter used={used} limit={limit}>
      {used > limit ? (
        <span>{`${plural(used - limit, 'alert')} would pause`}</span>
      ) : (
        <>
          <span>Alert limit</span>
          <span>{`${used} of ${limit} used`}</span>
        </>
      )}
    </AlertMeter>
  );
}

interface ChooseButtonProps {
  plan: PlanGrid_PlanFragment;
  isCurrent: boolean;
  isPending: boolean;
  /** While any plan is being chosen. */
  isLocked: boolean;
  onChoose: () => void;
}

function ChooseButton({ plan, isCurrent, isPending, isLocked, onChoose }: ChooseButtonProps) {
  if (isCurrent) {
    return (
      <Button variant="outline" disabled>
        Your plan
      </Button>
    );
  }
  const text = choiceText(plan);
  return (
    <Button
      variant={plan.isPopular ? 'solid' : 'outline'}
      // Disabled, it would lose the focus.
      aria-disabled={isLocked}
      aria-busy={isPending}
      aria-label={isPending ? undefined : `${text}: ${plan.name}`}
      onClick={() => (isLocked ? undefined : onChoose())}
    >
      {isPending ? 'Choosing...' : text}
    </Button>
  );
}
