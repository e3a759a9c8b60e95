import { useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';

const PausableAlertsDocument = graphql(`
  query PausableAlerts {
    alerts {
      id
      make
      model
      models
      isActive
      daysRemaining
    }
  }
`);

/** An alert that could be switched off for a new one. */
export interface PausableAlert {
  id: string;
  /** 'Toyota Camry' */
  name: string;
}

/** Of the viewer's active alerts the one that would end first; asked for only where the plan is full. */
export function usePausableAlert(isFull: boolean): { pausable: PausableAlert | undefined; loading: boolean } {
  const { data, loading } = useQuery(PausableAlertsDocument, { skip: !isFull });
  const catalogue = useCatalogue();
  const active = isFull ? (data?.alerts.filter(({ isActive }) => isActive) ?? []) : [];
  const [first] = active.toSorted((a, b) => a.daysRemaining - b.daysRemaining || Number(a.id) - Number(b.id));
  return { pausable: first && { id: first.id, name: askedLabel(catalogue, first) }, loading };
}
