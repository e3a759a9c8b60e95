import { sourceKind } from '../kinds/source-kind.ts';
import { readSite } from './site/read-site.ts';
import { vehiclePagesSettings } from './vehicle-pages-settings.ts';

/** A dealer's own site, read by the schema.org markup of its pages. */
export const vehiclePages = sourceKind({
  kind: 'vehicle-pages',
  settings: vehiclePagesSettings,
  secrets: [],
  address: ['site', 'sitemap', 'pages'],
  by: 'requests',
  read: readSite,
});
