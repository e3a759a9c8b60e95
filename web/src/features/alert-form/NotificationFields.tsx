import { textsNeedPlan } from '@lotwatch/api/forms/plan-refusals';
import { useFormikContext } from 'formik';
import type { ReactNode } from 'react';
import { toast } from '../../lib/state/toasts.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { InlineLink } from '../../ui/parts/Button.tsx';
import { Flag } from './AlertFormFields.tsx';
import type { DeliveryFormValues } from './alert-form-values.ts';
import { DeliveryFields } from './DeliveryFields.tsx';

interface NotificationFieldsProps {
  /** Whether the plan allows text messages. */
  canText: boolean;
  /** Whether texts have a confirmed phone to go to. */
  phoneConfirmed: boolean;
}

/** Through which channels messages leave, and when. */
export function NotificationFields(props: NotificationFieldsProps) {
  return (
    <>
      <NotificationFlags {...props} />
      <DeliveryFields />
    </>
  );
}

function NotificationFlags({ canText, phoneConfirmed }: NotificationFieldsProps) {
  const { values, setFieldValue } = useFormikContext<DeliveryFormValues>();
  return (
    <div>
      <Flag name="emailNotifications" label="Email notifications" />
      <Checkbox
        name="textNotifications"
        label="Text notifications"
        checked={values.textNotifications}
        // Someone whose paid plan ended may still take the tick off.
        refused={!canText && !values.textNotifications}
        onRefused={() => toast('Premium Feature', textsNeedPlan, 'notice')}
        onChange={(checked) => void setFieldValue('textNotifications', checked)}
        hint={textHint(canText, phoneConfirmed)}
      />
    </div>
  );
}

function textHint(canText: boolean, phoneConfirmed: boolean): ReactNode {
  if (!canText) return 'Upgrade to a paid plan to enable SMS notifications.';
  if (phoneConfirmed) return undefined;
  return (
    <>
      Texts start once your phone is confirmed. <InlineLink to="/settings#texts">Confirm it in Settings</InlineLink>
    </>
  );
}
