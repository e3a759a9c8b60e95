/**
 * The kinds of sources of which each read has all there is, so that a car that two reads lack is gone. A source of another
 * kind is read so if its setting `order` is `whole`.
 */
export const wholeKinds: readonly string[] = ['vehicle-feed', 'vehicle-pages', 'google-vehicle-feed'];

export const isWholeSource = (kind: string, order: unknown): boolean => wholeKinds.includes(kind) || order === 'whole';
