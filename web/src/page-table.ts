/** A page of the client: the router and the build, which lists the pages for the server, read it here. */
export interface PageRow {
  /** The path, as the router writes it; `*` matches all others. */
  path: string;
  /** The component's file, below `pages` and without its extension. The component has the file's name. */
  file: string;
  /** The delay in milliseconds before a visitor is led to the sign-in page; none unless given. */
  redirectAfterMs?: number;
}

/** Pages that need a login. */
export const memberPages: readonly PageRow[] = [
  { path: '/dashboard', file: 'alerts/DashboardPage' },
  { path: '/my-alerts', file: 'alerts/MyAlertsPage' },
  { path: '/alert/:id', file: 'alerts/AlertPage' },
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
  { path: '/', file: 'landing/LandingPage' },
  { path: '/auth', file: 'account/AuthPage' },
  { path: '/forgot-password', file: 'account/ForgotPasswordPage' },
  { path: '/reset-password/:token', file: 'account/ResetPasswordPage' },
  { path: '/shared/:token', file: 'alerts/SharedPage' },
  { path: '/privacy', file: 'about/PrivacyPage' },
  { path: '/terms', file: 'about/TermsPage' },
  { path: '/contact', file: 'about/ContactPage' },
  { path: '/status', file: 'about/StatusPage' },
  { path: '/contact-us', file: 'about/ContactUsPage' },
  { path: '/privacy-policy', file: 'about/PrivacyPolicyPage' },
  { path: '*', file: 'NotFoundPage' },
];
