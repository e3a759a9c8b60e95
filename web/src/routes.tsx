import { createBrowserRouter, matchRoutes } from 'react-router-dom';
import { LiveFrame } from './live/LiveFrame.tsx';
import { PageFailed } from './pages/PageFailed.tsx';
import { AppShell } from './shell/AppShell.tsx';
import { MemberFrame } from './shell/MemberFrame.tsx';
import { Spinner } from './ui/parts/states.tsx';

const member = [
  {
    path: '/dashboard',
    lazy: () => import('./pages/alerts/DashboardPage.tsx').then((m) => ({ Component: m.DashboardPage })),
  },
  {
    path: '/my-alerts',
    lazy: () => import('./pages/alerts/MyAlertsPage.tsx').then((m) => ({ Component: m.MyAlertsPage })),
  },
  { path: '/alert/:id', lazy: () => import('./pages/alerts/AlertPage.tsx').then((m) => ({ Component: m.AlertPage })) },
  {
    path: '/create-alert',
    lazy: () => import('./pages/alerts/CreateAlertPage.tsx').then((m) => ({ Component: m.CreateAlertPage })),
  },
  {
    path: '/edit-alert/:id',
    lazy: () => import('./pages/alerts/EditAlertPage.tsx').then((m) => ({ Component: m.EditAlertPage })),
  },
  { path: '/admin', lazy: () => import('./pages/AdminPage.tsx').then((m) => ({ Component: m.AdminPage })) },
  {
    path: '/settings',
    lazy: () => import('./pages/account/SettingsPage.tsx').then((m) => ({ Component: m.SettingsPage })),
  },
  {
    path: '/settings/devices',
    lazy: () => import('./pages/account/DevicesPage.tsx').then((m) => ({ Component: m.DevicesPage })),
  },
  {
    path: '/settings/two-step',
    lazy: () => import('./pages/account/TwoStepPage.tsx').then((m) => ({ Component: m.TwoStepPage })),
  },
  {
    path: '/settings/api',
    lazy: () => import('./pages/plans/ApiSettingsPage.tsx').then((m) => ({ Component: m.ApiSettingsPage })),
  },
  {
    path: '/data-rights',
    lazy: () => import('./pages/account/DataRightsPage.tsx').then((m) => ({ Component: m.DataRightsPage })),
    handle: { sendsAwayAfterMs: 100 },
  },
  {
    path: '/subscription',
    lazy: () => import('./pages/plans/SubscriptionPage.tsx').then((m) => ({ Component: m.SubscriptionPage })),
  },
  {
    path: '/subscription-success',
    lazy: () =>
      import('./pages/plans/SubscriptionSuccessPage.tsx').then((m) => ({ Component: m.SubscriptionSuccessPage })),
  },
];

const open = [
  { index: true, lazy: () => import('./pages/landing/LandingPage.tsx').then((m) => ({ Component: m.LandingPage })) },
  { path: '/auth', lazy: () => import('./pages/account/AuthPage.tsx').then((m) => ({ Component: m.AuthPage })) },
  {
    path: '/forgot-password',
    lazy: () => import('./pages/account/ForgotPasswordPage.tsx').then((m) => ({ Component: m.ForgotPasswordPage })),
  },
  {
    path: '/reset-password/:token',
    lazy: () => import('./pages/account/ResetPasswordPage.tsx').then((m) => ({ Component: m.ResetPasswordPage })),
  },
  { path: '/privacy', lazy: () => import('./pages/about/PrivacyPage.tsx').then((m) => ({ Component: m.PrivacyPage })) },
  { path: '/terms', lazy: () => import('./pages/about/TermsPage.tsx').then((m) => ({ Component: m.TermsPage })) },
  { path: '/contact', lazy: () => import('./pages/about/ContactPage.tsx').then((m) => ({ Component: m.ContactPage })) },
  {
    path: '/contact-us',
    lazy: () => import('./pages/about/ContactUsPage.tsx').then((m) => ({ Component: m.ContactUsPage })),
  },
  {
    path: '/privacy-policy',
    lazy: () => import('./pages/about/PrivacyPolicyPage.tsx').then((m) => ({ Component: m.PrivacyPolicyPage })),
  },
  { path: '*', lazy: () => import('./pages/NotFoundPage.tsx').then((m) => ({ Component: m.NotFoundPage })) },
];

function FirstLoad() {
  return <Spinner page />;
}

/** Every address of the client; each page's code is fetched when it is first needed. */
export function makeRouter() {
  return createBrowserRouter([
    {
      Component: AppShell,
      ErrorBoundary: PageFailed,
      HydrateFallback: FirstLoad,
      children: [
        { ErrorBoundary: PageFailed, children: open },
        {
          Component: MemberFrame,
          children: [{ Component: LiveFrame, children: [{ ErrorBoundary: PageFailed, children: member }] }],
        },
      ],
    },
  ]);
}

/** Fetches the code of a page that someone is about to open; the router then finds it there. */
export function fetchPage(router: ReturnType<typeof makeRouter>, pathname: string): void {
  for (const { route } of matchRoutes(router.routes, pathname) ?? []) {
    // A page that can't be fetched now is asked for again when it is opened.
    if (typeof route.lazy === 'function') void route.lazy().catch(() => undefined);
  }
}
