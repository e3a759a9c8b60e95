/** The floors of the web client, lowest first. A room imports only from floors below; rooms on one floor don't see each other. */
module.exports = {
  root: 'web/src',
  floors: [
    ['gql'],
    ['lib'],
    ['ui'],
    ['features/account', 'features/alerts', 'features/billing', 'features/listings'],
    ['live', 'shell'],
    ['pages'],
    ['routes.tsx'],
    ['app.tsx'],
    ['main.tsx'],
  ],
};
