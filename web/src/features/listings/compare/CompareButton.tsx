import { Check, Scale } from 'lucide-react';
import { announce } from '../../../lib/state/announce.ts';
import { type ComparedCar, compareCar, MAX_COMPARED, useComparedCars } from '../../../lib/state/compared-cars.ts';
import { Button } from '../../../ui/parts/Button.tsx';

interface CompareButtonProps {
  listing: ComparedCar;
  /** Id of the element that names the car. */
  describedBy: string;
}

/** Chooses a car for the comparison, or removes it from there. */
export function CompareButton({ listing: { id, carId, title }, describedBy }: CompareButtonProps) {
  const chosen = useComparedCars();
  const isChosen = chosen.some((car) => car.carId === carId);
  const isFull = !isChosen && chosen.length >= MAX_COMPARED;
  const toggle = () => {
    if (isFull) return announce(`${MAX_COMPARED} cars are chosen already. Remove one first.`);
    compareCar({ id, carId, title }, !isChosen);
    const count = isChosen ? chosen.length - 1 : chosen.length + 1;
    announce(count === 1 ? '1 car is chosen to be compared.' : `${count} cars are chosen to be compared.`);
  };
  return (
    <Button
      variant="link"
      size="text"
      gap="1.5"
      color={isChosen ? 'brand' : 'muted'}
      aria-pressed={isChosen}
      aria-disabled={isFull || undefined}
      aria-describedby={describedBy}
      opacity={isFull ? 0.55 : 1}
      onClick={toggle}
    >
      {isChosen ? <Check size={15} aria-hidden /> : <Scale size={15} aria-hidden />}
      Compare
    </Button>
  );
}
