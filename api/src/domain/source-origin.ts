/** Where the settings of a source come from, as the admin sees it. */
export enum SourceOrigin {
  browser = 'browser',
  settings = 'settings',
  demo = 'demo',
  push = 'push',
}
