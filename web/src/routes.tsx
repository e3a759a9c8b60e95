import { createBrowserRouter, matchRoutes } from 'react-router-dom';
import { LiveFrame } from './live/LiveFrame.tsx';
import { PageFailed } from './pages/PageFailed.tsx';
import { AppShell } from './shell/AppShell.tsx';
import { MemberFrame } from './shell/MemberFrame.tsx';
import { Spinner } from './ui/parts/states.tsx';

const member = [
  { path: '/dashboard', lazy: () => import('./pages/DashboardPage.tsx').then((m) => ({ Component: m.DashboardPage })) },
  { path: '/my-alerts', lazy: () => import('./pages/MyAlertsPage.tsx').then((m) => ({ Component: m.MyAlertsPage })) },
  { path: '/alert/:id', lazy: () => import('./pages/AlertPage.tsx').then((m) => ({ Component: m.AlertPage })) },
  {
    path: '/create-alert',
    lazy: () => import('./pages/CreateAlertPage.tsx').then((m) => ({ Component: m.CreateAlertPage })),
  },
  {
    path: '/edit-alert/:id',
    lazy: () => import('./pages/EditAlertPage.tsx').then((m) => ({ Component: m.EditAlertPage })),
  },
  { path: '/admin', lazy: () => import('./pages/AdminPage.tsx').then((m) => ({ Component: m.AdminPage })) },
  { path: '/settings', lazy: () => import('./pages/SettingsPage.tsx').then((m) => ({ Component: m.SettingsPage })) },
  {
    path: '/settings/api',
    lazy: () => import('./pages/ApiSettingsPage.tsx').then((m) => ({ Component: m.ApiSettingsPage })),
  },
  {
    path: '/data-rights',
    lazy: () => import('./pages/DataRightsPage.tsx').then((m) => ({ Component: m.DataRightsPage })),
    handle: { sendsAwayAfterMs: 100 },
  },
  {
    path: '/subscription',
    lazy: () => import('./pages/SubscriptionPage.tsx').then((m) => ({ Component: m.SubscriptionPage })),
  },
  {
    path: '/subscription-success',
    lazy: () => import('./pages/SubscriptionSuccessPage.tsx').then((m) => ({ Component: m.SubscriptionSuccessPage })),
  },
];

const open = [
  { index: true, lazy: () => import('./pages/LandingPage.tsx').then((m) => ({ Component: m.LandingPage })) },
  { path: '/auth', lazy: () => import('./pages/AuthPage.tsx').then((m) => ({ Component: m.AuthPage })) },
  {
    path: '/forgot-password',
    lazy: () => import('./pages/ForgotPasswordPage.tsx').then((m) => ({ Component: m.ForgotPasswordPage })),
  },
  {
    path: '/reset-password/:token',
    lazy: () => import('./pages/ResetPasswordPage.tsx').then((m) => ({ Component: m.ResetPasswordPage })),
  },
  {
    path: '/confirm-email/:token',
    lazy: () => import('./pages/ConfirmEmailPage.tsx').then((m) => ({ Component: m.ConfirmEmailPage })),
  },
  { path: '/privacy', lazy: () => import('./pages/PrivacyPage.tsx').then((m) => ({ Component: m.PrivacyPage })) },
  { path: '/terms', lazy: () => import('./pages/TermsPage.tsx').then((m) => ({ Component: m.TermsPage })) },
  { path: '/contact', lazy: () => import('./pages/ContactPage.tsx').then((m) => ({ Component: m.ContactPage })) },
  {
    path: '/contact-us',
    lazy: () => import('./pages/ContactUsPage.tsx').then((m) => ({ Component: m.ContactUsPage })),
  },
  {
    path: '/privacy-policy',
    lazy: () => import('./pages/PrivacyPolicyPage.tsx').then((m) => ({ Component: m.PrivacyPolicyPage })),
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
