import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { storeDraftAlert } from '../../features/alert-form/draft-alert.ts';
import type { AlertFacts_AlertFragment } from '../../gql/graphql.ts';
import { TextLink } from '../../ui/parts/Button.tsx';

const FORM = '/create-alert';

/** What knows the form's fields is loaded with the form: an alert's page does without it. */
const loadValues = () => import('../../features/alert-form/alert-form-values.ts');

/** Leads to the form of a new alert, filled as this one. */
export function MakeOneLike({ alert }: { alert: AlertFacts_AlertFragment }) {
  const navigate = useNavigate();
  async function make(event: MouseEvent): Promise<void> {
    const opensElsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!opensElsewhere) event.preventDefault();
    try {
      const { fromAlert } = await loadValues();
      storeDraftAlert('prefill', fromAlert(alert));
    } finally {
      // Where that can't be loaded, the form can't either, and its page says so.
      if (!opensElsewhere) void navigate(FORM);
    }
  }
  return (
    <TextLink to={FORM} onClick={(event: MouseEvent) => void make(event).catch(() => undefined)}>
      Make one like this
    </TextLink>
  );
}
