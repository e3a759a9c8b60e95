import { sourceKind } from '../kinds/source-kind.ts';
import { jsonFeedSettings } from './json-feed-settings.ts';
import { readJsonFeed } from './read-json-feed.ts';

/** Any API that answers with JSON, by a mapping of its fields. */
export const jsonFeed = sourceKind({
  kind: 'json-feed',
  settings: jsonFeedSettings,
  secrets: ['header.value', 'query.value'],
  restartsRead: ['url', 'items', 'fields', 'constants', 'paging', 'maxPages', 'order'],
  makesFirstRead: ['url', 'items', 'paging', 'maxPages'],
  by: 'requests',
  read: readJsonFeed,
});
