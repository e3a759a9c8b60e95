/** The height of the map, and of what stands in its place. */
export const mapHeight = { base: '320px', md: '360px', xl: '420px' };
