import { boundRecord, fieldsOf, isRecord, nestedFieldsOf, recordUrl } from './record/record-fields.ts';

function parsed(record: string): unknown {
  try {
    return boundRecord(JSON.parse(record));
  } catch {
    return null;
  }
}

/** The address of its own page that a rejected item or row of a feed states; null where it states none or can't be read. */
export function ownAddress(record: string, externalId: string): string | null {
  const whole = parsed(record);
  if (!isRecord(whole)) return null;
  const fields = fieldsOf(whole.listing, whole);
  return (
    recordUrl(fields, externalId) ??
    recordUrl(fieldsOf({ url: nestedFieldsOf(fields, 'url').get('href') }), '') ??
    recordUrl(nestedFieldsOf(fields, 'offers'), '')
  );
}
