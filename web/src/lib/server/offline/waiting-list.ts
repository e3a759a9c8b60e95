/** What waits to be sent. */
export interface Change {
  id: string;
  userId: string;
  /** Of the thing that it sets: a later change of it replaces the earlier one. */
  key: string;
  name: string;
  variables: Readonly<Record<string, unknown>>;
  /** The document, as it was parsed. */
  query: object;
  /** When it was pressed, in milliseconds: of two presses, the later one holds. */
  at: number;
}

export const MAX_WAITING = 50;

/**
 * Adds a change in the place of an earlier one of the same thing; a press that comes late changes nothing.
 * @throws when too many wait already
 */
export function replaceChange(before: readonly Change[], made: Change): readonly Change[] {
  if (before.some(({ key, at }) => key === made.key && at > made.at)) return before;
  const others = before.filter(({ key }) => key !== made.key);
  if (others.length >= MAX_WAITING) throw new Error('Too many changes wait for the connection.');
  return [...others, made];
}

/** What a change does, after "Failed to"; null for what its user need not know. */
export function changeWords(name: string, variables: Readonly<Record<string, unknown>>): string | null {
  if (name === 'SaveListing') return variables.saved === true ? 'save a car' : 'remove a car from your saved cars';
  if (name === 'HideCar') return variables.hidden === true ? 'hide a car' : 'show a car again';
  return null;
}

/** The fields of a listing that a change sets. */
function fieldsSet({ name, variables }: Change): object {
  if (name === 'SaveListing') return { saved: variables.saved };
  return name === 'MarkListingViewed' ? { viewed: true, isNew: false } : {};
}

const isListing = (value: object): value is { id: string; carId?: string } =>
  '__typename' in value && value.__typename === 'Listing' && 'id' in value;

/**
 * Shows a stored answer as the changes that wait leave it.
 * @returns the answer, and by car whether it is hidden, for cars about which a change waits
 */
export function withChanges(
  answer: unknown,
  changes: readonly Change[],
): { data: unknown; hidden: Map<string, boolean> } {
  const hidden = new Map<string, boolean>();
  const apply = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(apply);
    if (typeof value !== 'object' || value === null) return value;
    const applied = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, apply(field)]));
    if (!isListing(value)) return applied;
    const own = changes.filter(({ variables }) => variables.id === value.id);
    for (const { name, variables } of own)
      if (name === 'HideCar' && value.carId !== undefined) hidden.set(value.carId, variables.hidden === true);
    return Object.assign(applied, ...own.map(fieldsSet));
  };
  return { data: changes.length === 0 ? answer : apply(answer), hidden };
}
