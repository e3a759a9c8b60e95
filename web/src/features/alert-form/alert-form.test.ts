import { type AlertFields, alertSchema } from '@lotwatch/api/forms/alert';
import { validateYupSchema, yupToFormErrors } from 'formik';
import { describe, expect, it } from 'vitest';
import {
  type AlertFormValues,
  alertFormDefaults,
  fromAlert,
  fromAlertDefaults,
  toAlertDefaults,
  toAlertInput,
  toAlertPatch,
  unpricedHint,
  withoutDelivery,
} from './alert-form-values.ts';

const camry: AlertFormValues = { ...alertFormDefaults, make: 'toyota', model: 'camry', location: 'Los Angeles, CA' };

async function errorsOf(values: AlertFormValues) {
  try {
    await validateYupSchema({ ...values }, alertSchema);
    return {};
  } catch (error) {
    return yupToFormErrors(error);
  }
}

describe('the rules, as Formik applies them', () => {
  it('passes an alert of the defaults', async () => {
    expect(await errorsOf(camry)).toEqual({});
  });

  it('asks for make, location and radius', async () => {
    expect(await errorsOf({ ...alertFormDefaults, radius: '', location: '  ' })).toEqual({
      make: 'Car make is required',
      location: 'Location is required',
      radius: 'Distance radius is required',
    });
  });

  it('refuses crossed ranges on both fields', async () => {
    const crossed = 'The minimum is above the maximum.';
    expect(await errorsOf({ ...camry, yearMin: '2020', yearMax: '2015', priceMin: '900', priceMax: '100' })).toEqual({
      yearMin: crossed,
      yearMax: crossed,
      priceMin: crossed,
      priceMax: crossed,
    });
  });

  it('takes equal ends and open ends', async () => {
    expect(await errorsOf({ ...camry, yearMin: '2015', yearMax: '2015', priceMin: '', priceMax: '' })).toEqual({});
    expect(await errorsOf({ ...camry, yearMin: '2015', yearMax: '', priceMin: '9000', priceMax: '' })).toEqual({});
  });

  it('has a highest price', async () => {
    expect(Object.keys(await errorsOf({ ...camry, priceMax: '10000001' }))).toEqual(['priceMax']);
    expect(await errorsOf({ ...camry, priceMax: '10000000' })).toEqual({});
  });
});

describe('quiet hours', () => {
  const night = { from: '22:00', to: '07:00', days: [0, 1, 2, 3, 4, 5, 6] };

  it.each([
    ['with both times and a day', { ...night, days: [0] }, undefined],
    ['of whole days', { from: '00:00', to: '00:00', days: [0, 6] }, undefined],
    [
      'without a day',
      { ...night, days: [] },
      { days: 'Please choose when quiet hours begin and end, and at least one day' },
    ],
    [
      'with a time that no clock shows',
      { ...night, to: '24:00' },
      { to: 'Please choose when quiet hours begin and end, and at least one day' },
    ],
    ['that never end', { ...night, to: '22:00' }, 'Quiet hours cannot cover the whole week'],
  ])('%s', async (_what, quietHours, expected) => {
    expect(await errorsOf({ ...camry, quietHours })).toEqual(expected === undefined ? {} : { quietHours: expected });
  });
});

describe('the choice for new alerts', () => {
  const chosen = {
    emailNotifications: false,
    textNotifications: true,
    pushNotifications: true,
    delivery: 'daily' as const,
    digestHour: 18,
    quietHours: { __typename: 'QuietHours', from: '22:00', to: '07:00', days: [1] },
    maxMailsPerDay: null,
    priceDrops: false,
  };

  it('fills the fields about messages, and comes back as it was', () => {
    const values = fromAlertDefaults(chosen);
    expect(values).toEqual({
      ...chosen,
      digestHour: '18',
      maxMailsPerDay: '',
      quietHours: { from: '22:00', to: '07:00', days: [1] },
    });
    expect(toAlertDefaults(values)).toEqual({ ...chosen, quietHours: values.quietHours });
  });

  it('is not overwritten by the quick form, which has no such fields', () => {
    const values = { ...alertFormDefaults, ...fromAlertDefaults(chosen) };
    expect({ ...values, ...withoutDelivery(camry) }).toEqual({
      ...values,
      make: 'toyota',
      model: 'camry',
      location: 'Los Angeles, CA',
    });
  });
});

describe('what is sent', () => {
  it('turns text into integers and leaves out what is empty', () => {
    expect(toAlertInput({ ...camry, model: '', yearMin: '2015', priceMax: '' })).toEqual({
      make: 'toyota',
      model: undefined,
      yearMin: 2015,
      yearMax: undefined,
      location: 'Los Angeles, CA',
      radius: 50,
      priceMin: 0,
      priceMax: undefined,
      color: 'any',
      onlyWithImages: true,
      belowFairPrice: false,
      emailNotifications: true,
      textNotifications: false,
      pushNotifications: false,
      delivery: 'instant',
      digestHour: 8,
      priceDrops: true,
    });
  });

  it('sends quiet hours as they were chosen, and clears them when they are switched off', () => {
    const quietHours = { from: '22:00', to: '07:00', days: [5, 6] };
    expect(toAlertInput({ ...camry, quietHours })).toMatchObject({ quietHours });
    expect(toAlertPatch({ ...camry, quietHours: null })).toMatchObject({ quietHours: null });
    expect(Object.keys(toAlertPatch(camry))).not.toContain('snoozedUntil');
  });

  it("sends a radius of 'any' as 100", () => {
    expect(toAlertInput({ ...camry, radius: 'any' }).radius).toBe(100);
  });

  it('clears emptied fields of an edited alert', () => {
    expect(toAlertPatch({ ...camry, model: '', priceMax: '' })).toMatchObject({
      model: null,
      yearMin: null,
      yearMax: null,
      priceMin: 0,
      priceMax: null,
    });
  });

  it('comes back from an alert as it went', () => {
    const alert = {
      ...(toAlertInput(camry) as AlertFields),
      color: 'any',
      onlyWithImages: true,
      emailNotifications: true,
      textNotifications: false,
      pushNotifications: false,
    };
    expect(fromAlert(alert)).toEqual(camry);
  });
});

describe('price fields', () => {
  it('knows when a car without a price is left out', () => {
    const hint = "A car without a stated price won't match. Clear the prices to include it.";
    expect(unpricedHint(alertFormDefaults)).toBe(hint);
    expect(unpricedHint({ priceMin: '0', priceMax: '' })).toBeNull();
    expect(unpricedHint({ priceMin: '', priceMax: '' })).toBeNull();
    expect(unpricedHint({ priceMin: '1', priceMax: '' })).toBe(hint);
  });
});
