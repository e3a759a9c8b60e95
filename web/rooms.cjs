/** The floors of the web client, lowest first. A room imports only from floors below; rooms on one floor don't see each other. */
module.exports = {
  root: 'web/src',
  floors: [
    ['gql'],
    ['lib/state', 'lib/text'],
    ['lib/server'],
    ['ui/theme'],
    ['ui/parts'],
    ['ui/form'],
    [
      'features/account',
      'features/admin',
      'features/alert-form',
      'features/alerts',
      'features/api-keys',
      'features/billing',
      'features/contact',
      'features/cookies',
      'features/listings',
      'features/rights',
      'features/status',
      'features/webhooks',
    ],
    ['features/explanations', 'features/matches', 'features/preview', 'features/sharing'],
    ['live', 'shell'],
    ['pages'],
    ['page-table.ts'],
    ['routes.tsx'],
    ['app.tsx'],
    // The playground is a page of its own, beside the app.
    ['main.tsx', 'server.tsx', 'playground'],
  ],
  /** Files and folders (which end in a slash) of the other package that may be imported. */
  allowed: [
    'api/docs/examples/push/',
    'api/src/domain/delivery/drop-rules.ts',
    'api/src/domain/forms/',
    'api/src/domain/match-cap.ts',
    'api/src/domain/photo-sizes.ts',
    'api/src/domain/plain-words.ts',
    'api/src/domain/places/place.ts',
    'api/src/domain/prices/price-words.ts',
    'api/src/domain/prices/rate-price.ts',
  ],
  /** Folders outside the floors. Their files are only checked for their length. */
  outside: ['web/e2e', 'web/art', 'web/vite', 'web/worker'],
  generated: ['web/src/gql/'],
};
