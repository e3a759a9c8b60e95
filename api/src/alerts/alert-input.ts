import { isColor, isMake, isModelOf } from '../domain/catalogue.ts';
import { type AlertContext, type AlertFields, alertSchema, rangeCrossed } from '../domain/forms/alert.ts';
import { ownModelMissing } from '../domain/forms/alert-filters.ts';
import { plainModels } from '../domain/forms/filter-values.ts';
import { type Faults, validateForm } from '../domain/validate-form.ts';

/** What createAlert takes. `null` and '' count as absent; values of a wrong type are refused. */
export type AlertInput = { [Name in keyof AlertFields]?: unknown } & { snoozedUntil?: unknown };

/** What updateAlert takes: absent stays, `null` and '' clear. */
export type AlertPatch = AlertInput & { isActive?: unknown };

/**
 * Reads the fields of an alert, and what is wrong with them. Of a field that stays nothing is wrong but that it is crossed
 * by a given one: a rule that was tightened must not keep its owner from switching the alert off.
 * @param before what stays where nothing is given; null for a new alert
 * @param now decides the last model year
 */
export function readAlertFields(
  input: AlertInput,
  before: AlertFields | null,
  now: Date,
): { fields: AlertFields; faults: Faults } {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const asked = { ...before, ...given };
  // Models stay with their make alone.
  if (before && textOf(asked.make) !== before.make) {
    if (input.model === undefined) asked.model = null;
    if (input.models === undefined) asked.models = null;
  }
  // What stays is not looked up again: the catalogue may have changed.
  const context: AlertContext = {
    now,
    isMake: (make) => input.make === undefined || isMake(make),
    isModelOf: (make, model) => (input.model === undefined && input.models === undefined) || isModelOf(make, model),
    isColor: (color) => input.color === undefined || isColor(color),
  };
  const { values, faults: all } = validateForm(alertSchema, asked, context);
  const crossed = [rangeCrossed, ownModelMissing];
  const isCounted = (name: string, message: string) => !before || name in given || crossed.includes(message);
  const faults = Object.fromEntries(Object.entries(all).filter(([name, message]) => isCounted(name, message)));
  const color = values.color === 'any' ? null : values.color;
  const models = values.models && !faults.models ? plainModels(values.make, values.models) : null;
  return { fields: { ...values, color, models, radius: values.radius ?? 0 }, faults };
}

const textOf = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
