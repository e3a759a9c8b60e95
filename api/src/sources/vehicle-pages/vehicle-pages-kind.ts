import { sourceKind } from '../kinds/source-kind.ts';
import { readSite } from './site/read-site.ts';
import { vehiclePagesSettings } from './vehicle-pages-settings.ts';

// Other patterns, or more pages, bring cars that were there before.
const makesFirstRead = ['site', 'sitemap', 'pages', 'include', 'exclude', 'maxPages'];

/** A dealer's own site, read by the schema.org markup of its pages. */
export const vehiclePages = sourceKind({
  kind: 'vehicle-pages',
  settings: vehiclePagesSettings,
  secrets: [],
  restartsRead: makesFirstRead,
  makesFirstRead,
  by: 'requests',
  read: readSite,
});
