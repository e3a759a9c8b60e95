import { accountStates } from './account.ts';
import { adminStates } from './admin.ts';
import { alertFormStates } from './alert-form.ts';
import { alertMapStates } from './alert-map.ts';
import { alertsStates } from './alerts.ts';
import { apiSettingsStates } from './api-settings.ts';
import { billingStates } from './billing.ts';
import { carChartStates } from './car-charts.ts';
import { compareStates } from './compare.ts';
import { contactStates } from './contact.ts';
import { crowdedStates } from './crowded.ts';
import { dashboardStates } from './dashboard.ts';
import { devicesStates } from './devices.ts';
import { landingStates } from './landing.ts';
import { listChoiceStates } from './list-choice.ts';
import { liveStates } from './live.ts';
import { notificationsStates } from './notifications.ts';
import { explanationStates, previewStates } from './preview.ts';
import { pushStates } from './push.ts';
import { rightsStates } from './rights.ts';
import { savedStates } from './saved.ts';
import { secondFactorStates } from './second-factor.ts';
import { sellerTextStates } from './seller-text.ts';
import { sharingStates } from './sharing.ts';
import { shellStates } from './shell.ts';
import type { State } from './state.ts';
import { statusStates } from './status.ts';

/** Every page in every condition, for the tests of texts, axe, and the pictures. */
export const allStates: readonly State[] = [
  ...landingStates,
  ...accountStates,
  ...devicesStates,
  ...secondFactorStates,
  ...shellStates,
  ...crowdedStates,
  ...dashboardStates,
  ...alertsStates,
  ...alertMapStates,
  ...carChartStates,
  ...sellerTextStates,
  ...alertFormStates,
  ...previewStates,
  ...explanationStates,
  ...liveStates,
  ...billingStates,
  ...apiSettingsStates,
  ...notificationsStates,
  ...compareStates,
  ...listChoiceStates,
  ...savedStates,
  ...sharingStates,
  ...pushStates,
  ...rightsStates,
  ...adminStates,
  ...contactStates,
  ...statusStates,
];
