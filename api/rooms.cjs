/** The floors of the server, lowest first. A room imports only from floors below; rooms on one floor don't see each other. */
module.exports = {
  root: 'api/src',
  floors: [
    ['base'],
    ['domain'],
    ['entities'],
    // What differs where the tables are distributed.
    ['placement'],
    ['vendors', 'policies', 'messages'],
    // The stages of a listing.
    ['sources', 'intake', 'matching', 'notify', 'live'],
    // What a buyer sees of a listing.
    ['listings'],
    // What a user has, what is paid for it, and what is done to the whole account.
    ['alerts', 'contact', 'keys', 'webhooks'],
    ['billing'],
    ['accounts', 'rights'],
    ['jobs', 'graphql', 'rest', 'http', 'launcher', 'metrics', 'tracing'],
    ['cli'],
    ['from-settings.ts'],
    ['app'],
    ['main.ts'],
  ],
  /** Folders beside `root`: which rooms they may import from, and which of ours may import them. */
  otherFolders: {
    'api/migrations': { mayImport: [], importedBy: ['entities'] },
    'api/demo': { mayImport: ['base', 'domain'], importedBy: [] },
    'api/sandbox': { mayImport: ['base', 'domain', 'messages'], importedBy: [] },
    'api/bench': { mayImport: 'all', importedBy: [] },
    'api/faults': { mayImport: 'all', importedBy: [] },
    'api/fuzz': { mayImport: 'all', importedBy: [] },
    'api/lab': { mayImport: 'all', importedBy: [] },
    'api/training': { mayImport: ['base', 'domain'], importedBy: [] },
    'api/test': { mayImport: 'all', importedBy: [] },
  },
  /** Packages that only these rooms may import. */
  packages: {
    vendors: ['stripe', 'twilio', '@sendgrid/*', 'web-push'],
    metrics: ['prom-client'],
    tracing: ['@opentelemetry/*'],
    jobs: ['agenda', '@agendajs/*', 'mongodb'],
  },
};
