/**
 * A positive 31-bit number for a make, or a model of it; FNV-1a over the slugs, so it never changes.
 * It is stored: a new hash means a migration.
 * @param model null stands for "any model of the make"
 */
export function vehicleKey(make: string, model: string | null): number {
  const text = model === null ? make : `${make}/${model}`;
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 1;
}

/** What `alert_cells.key` and the listings' keys hold: vehicle in the upper 32 bits, cell in the lower; an int8 as text. */
export function searchKey(vehicle: number, cell: number): string {
  return ((BigInt(vehicle) << 32n) | BigInt(cell)).toString();
}
