export type Args = Readonly<Record<string, unknown>>;

/** Ids are typed by people: what is none of ours is not written down. */
const idIn = (value: unknown, pattern: RegExp): string => (pattern.test(String(value)) ? String(value) : 'unknown');
const NUMBER = /^[1-9]\d{0,14}$/;
const REQUEST_ID = /^DR-[A-Z0-9]{6}$/;
const SOURCE = /^[a-z0-9-]{1,40}$/;
const CODE = /^[A-Z_]{1,40}$/;
/** More ids than these are counted. */
const IDS_SHOWN = 20;

/** Which records of the quarantine, as in 'records 3, 4 of source north-lot'. */
export function quarantineSubject(filter: Args): string {
  const { source, code } = filter;
  const ids = Array.isArray(filter.ids) ? filter.ids : null;
  const shown = ids?.slice(0, IDS_SHOWN).map((id) => idIn(id, NUMBER));
  const more = ids && ids.length > IDS_SHOWN ? ` and ${ids.length - IDS_SHOWN} more` : '';
  return [
    shown ? `records ${shown.join(', ')}${more}` : 'all records',
    source ? `of source ${idIn(source, SOURCE)}` : '',
    code ? `with ${idIn(code, CODE)}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

export const userSubject = ({ userId }: Args): string => `user ${idIn(userId, NUMBER)}`;

export const deletionRequestSubject = ({ requestId }: Args): string =>
  `deletion request ${idIn(requestId, REQUEST_ID)}`;
