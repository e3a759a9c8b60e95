/** Names that the pages and the service worker share. */
export const WORKER = '/service-worker.js';
export const DATABASE = 'lotwatch';
export const PHOTO_CACHE = 'lotwatch-photos';
