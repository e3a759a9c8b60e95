/** A page of the client: the router and the build, which lists the pages for the server, read it here. */
export interface PageRow {
  /** The path, as the router writes it; `*` matches all others. */
  path: string;
  /** The component's file, below `pages` and without its extension. The component has the file's name. */
  file: string;
  /** The delay in milliseconds before a visitor is led to the sign-in page; none unless given. */
  redirectAfterMs?: number;
  /** For pages that the server draws. */
  drawn?: {
    /**
     * When the app takes the page over: `late` at the first sign of interaction, `live` then or after some seconds, as its
     * figures age, `soon` once the page is loaded.
     */
    starts: 'late' | 'live' | 'soon';
    /** For how many seconds the drawn page serves all visitors, if its address has no parameter; without it, until the next build. */
    seconds?: number;
    /** Whether what it shows depends on the search of its address. */
    readsSearch?: true;
    /** Whether its form is sent by the browser itself when no script runs. */
    posts?: true;
  };
  /** What the page asks for first, beside what every signed-in page does: the server sends the answers with it. */
  asks?: readonly FirstQuery[];
}

/** An operation by its name in the source. */
export interface FirstQuery {
  name: string;
  /** `:id` stands for that part of the path. */
  variables?: Readonly<Record<string, string>>;
  /** Parameters of the address with which the page asks for something else. */
  unless?: readonly string[];
}

/** What every signed-in page asks for first. */
const ofShell: readonly FirstQuery[] = ['LiveStart', 'Viewer', 'Site', 'AlertQuota', 'UnreadNotifications'].map(
  (name) => ({ name }),
);
const lists: readonly FirstQuery[] = [{ name: 'MyAlerts' }, { name: 'Catalogue' }];

/** Pages that need a login. */
export const memberPages: readonly PageRow[] = [
  { path: '/dashboard', file: 'alerts/DashboardPage', asks: [...ofShell, ...lists, { name: 'RecentListings' }] },
  { path: '/my-alerts', file: 'alerts/MyAlertsPage', asks: [...ofShell, ...lists] },
  {
    path: '/alert/:id',
    file: 'alerts/AlertPage',
    asks: [
      ...ofShell,
      { name: 'Catalogue' },
      { name: 'AlertPage', variables: { id: ':id' } },
      { name: 'AlertMatches', variables: { alertId: ':id' }, unless: ['sort', 'only'] },
    ],
  },
  { path: '/create-alert', file: 'alerts/CreateAlertPage' },
  { path: '/notifications', file: 'alerts/NotificationsPage' },
  { path: '/saved', file: 'alerts/SavedPage' },
  { path: '/compare', file: 'alerts/ComparePage' },
  { path: '/share-target', file: 'alerts/ShareTargetPage' },
  { path: '/edit-alert/:id', file: 'alerts/EditAlertPage' },
  { path: '/admin', file: 'AdminPage' },
  { path: '/settings', file: 'account/SettingsPage' },
  { path: '/settings/new-alerts', file: 'account/NewAlertsPage' },
  { path: '/settings/devices', file: 'account/DevicesPage' },
  { path: '/settings/two-step', file: 'account/TwoStepPage' },
  { path: '/settings/shared-links', file: 'account/SharedLinksPage' },
  { path: '/settings/api', file: 'plans/ApiSettingsPage' },
  { path: '/data-rights', file: 'account/DataRightsPage', redirectAfterMs: 100 },
  { path: '/subscription', file: 'plans/SubscriptionPage' },
  { path: '/subscription-success', file: 'plans/SubscriptionSuccessPage' },
];

/** Public pages. */
export const openPages: readonly PageRow[] = [
  { path: '/', file: 'landing/LandingPage', drawn: { starts: 'live', seconds: 5, posts: true } },
  { path: '/auth', file: 'account/AuthPage', drawn: { starts: 'soon', readsSearch: true } },
  { path: '/forgot-password', file: 'account/ForgotPasswordPage', drawn: { starts: 'soon' } },
  { path: '/reset-password/:token', file: 'account/ResetPasswordPage' },
  { path: '/shared/:token', file: 'alerts/SharedPage', drawn: { starts: 'late' } },
  { path: '/privacy', file: 'about/PrivacyPage', drawn: { starts: 'late' } },
  { path: '/terms', file: 'about/TermsPage', drawn: { starts: 'late' } },
  { path: '/contact', file: 'about/ContactPage', drawn: { starts: 'late' } },
  { path: '/status', file: 'about/StatusPage', drawn: { starts: 'live', seconds: 5 } },
  { path: '/contact-us', file: 'about/ContactUsPage', drawn: { starts: 'late' } },
  { path: '/privacy-policy', file: 'about/PrivacyPolicyPage', drawn: { starts: 'soon' } },
  { path: '*', file: 'NotFoundPage', drawn: { starts: 'late' } },
];
