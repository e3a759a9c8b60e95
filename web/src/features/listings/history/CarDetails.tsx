import { ChartLine } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { FormError } from '../../../ui/form/FormError.tsx';
import { LineDisclosure } from '../../../ui/parts/LineDisclosure.tsx';
import type { CarChartsProps } from './CarCharts.tsx';
import { ChartSkeleton, Charts } from './ChartSkeleton.tsx';

const NotLoaded = (_props: CarChartsProps): ReactNode => (
  <FormError>The charts can't be shown now. Please check your connection, then reload the page.</FormError>
);

/** The charts, whose code is loaded when they are first opened. */
const LazyCharts = lazy(() =>
  import('./CarCharts.tsx').then(
    (module): { default: typeof NotLoaded } => ({ default: module.CarCharts }),
    () => ({ default: NotLoaded }),
  ),
);

/** The car's prices under all of its listings, and those of similar cars, once they are opened. */
export function CarDetails(props: CarChartsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <LineDisclosure
      onToggle={setIsOpen}
      summary={
        <>
          <ChartLine size={14} aria-hidden />
          Price history and similar cars
        </>
      }
    >
      {isOpen ? (
        <Suspense
          fallback={
            <Charts>
              <ChartSkeleton label="Loading the price history" />
              <ChartSkeleton label="Loading similar cars" />
            </Charts>
          }
        >
          <LazyCharts {...props} />
        </Suspense>
      ) : null}
    </LineDisclosure>
  );
}
