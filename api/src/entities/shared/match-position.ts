const epochOf = (position: bigint): bigint => position >> 42n;

/**
 * Whether what was told of a position can't be read yet: it is committed, but an older transaction still runs. What was
 * told of another epoch is settled, or was lost with its server.
 * @param horizon of a statement that began after it was told
 */
export function isHeldBack(position: string, horizon: string): boolean {
  const [told, settled] = [BigInt(position), BigInt(horizon)];
  return told >= settled && epochOf(told) === epochOf(settled);
}
