import { useQuery } from '@apollo/client/react';
import { alertSchema } from '@lotwatch/api/forms/alert';
import { useEffect, useMemo, useState } from 'react';
import { ValidationError } from 'yup';
import type { AlertInput } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { type AlertFormValues, toAlertInput, withoutDelivery } from '../alert-form/alert-form-values.ts';
import { PreviewAlertDocument } from './preview-document.ts';
import type { Preview } from './preview-words.ts';

/** How long somebody must not have typed. */
const DEBOUNCE_MS = 500;
/** It is asked for again by itself, as after every fault that passes. */
const TOO_OFTEN = 'LotWatch has counted very often for you in the last minute. It counts again in a moment.';

/** What the panel shows. */
export type PreviewState =
  /** Nothing can be counted yet. */
  | { kind: 'unfilled'; missing: readonly ('make' | 'location' | 'radius')[] }
  /** The form has a fault, which its field names, or it was asked for too often. */
  | { kind: 'refused'; message: string }
  | { kind: 'loading' }
  | { kind: 'failed'; message: string; retry: () => void }
  /** @property isOld whether the next one is being counted */
  | { kind: 'counted'; preview: Preview; isOld: boolean };

type Asked = Extract<PreviewState, { kind: 'unfilled' | 'refused' }> | { kind: 'asked'; input: AlertInput };

/** What can be asked with these values. */
function readValues(values: AlertFormValues): Asked {
  const missing = (['make', 'location', 'radius'] as const).filter((name) => values[name].trim() === '');
  if (missing.length > 0) return { kind: 'unfilled', missing };
  const input = toAlertInput(values);
  const criteria = Object.keys(withoutDelivery(values));
  const refusal = findRefusal(input, criteria);
  if (refusal !== null) return { kind: 'refused', message: refusal };
  return {
    kind: 'asked',
    input: Object.fromEntries(Object.entries(input).filter(([name]) => criteria.includes(name))) as AlertInput,
  };
}

/** Why these criteria can't be counted; how the buyer is told makes no difference. */
function findRefusal(input: AlertInput, criteria: readonly string[]): string | null {
  try {
    alertSchema.validateSync(input, { abortEarly: false });
    return null;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const refused = error.inner.find(({ path = '' }) => criteria.includes(path.split(/[.[]/)[0] ?? ''));
    return refused?.message ?? null;
  }
}

/** What the alert of a form would have brought. While somebody types, the former answer stays and no older one arrives. */
export function usePreview(values: AlertFormValues): PreviewState {
  const asked = readValues(values);
  const wanted = asked.kind === 'asked' ? JSON.stringify(asked.input) : '';
  const settled = useSettled(wanted);
  const input = useMemo(() => (settled === '' ? null : (JSON.parse(settled) as AlertInput)), [settled]);
  const { data, previousData, error, loading, refetch } = useQuery(PreviewAlertDocument, {
    variables: { input: input ?? { make: '', location: '', radius: 0 } },
    skip: input === null || asked.kind !== 'asked',
    // An answer is true only now.
    fetchPolicy: 'no-cache',
  });
  if (asked.kind !== 'asked') return asked;
  const isOld = wanted !== settled || loading;
  if (!isOld && error) {
    const { message, fields, code } = readFault(error);
    if (code === 'RATE_LIMITED') return { kind: 'refused', message: TOO_OFTEN };
    const [refusal] = Object.values(fields);
    return refusal
      ? { kind: 'refused', message: refusal }
      : { kind: 'failed', message, retry: () => void refetch().catch(() => undefined) };
  }
  const preview = (data ?? previousData)?.previewAlert;
  return preview ? { kind: 'counted', preview, isOld } : { kind: 'loading' };
}

/** The value once it has not changed for a while; the first one at once. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
