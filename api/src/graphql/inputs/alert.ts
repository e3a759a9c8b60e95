import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { deliveryNames, requiredAlertFields } from '../../domain/forms/alert.ts';
import type { DeliveryChoice } from '../../domain/forms/delivery.ts';
import { alertInputFields } from '../../entities/edited-field.ts';

/** Gives an input all fields that an alert's owner edits. */
function addFields(input: new () => object, required: readonly string[]): void {
  for (const { name, type, description } of alertInputFields) {
    Field(type, { nullable: !required.includes(name), description })(input.prototype, name);
  }
}

@InputType({
  description:
    "A new alert. An absent bound means no limit. An absent field of delivery has the API's default, whatever the user's `alertDefaults` are.",
})
export class AlertInput {}
addFields(AlertInput, requiredAlertFields);

@InputType({ description: 'Changes to an alert. Absent fields stay as they are; null clears a field.' })
export class AlertPatch {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the alert is watching. Turning an expired alert on renews it.',
  })
  isActive?: boolean | null;
}
addFields(AlertPatch, []);

@InputType({ description: 'Changes to one of several alerts. Absent fields stay as they are; null clears a field.' })
export class AlertChange extends AlertPatch {
  @Field(() => ID, { description: 'Number of the alert.' })
  id!: string;
}

const isDelivery = ({ name }: { name: string }) => (deliveryNames as readonly string[]).includes(name);

@ObjectType('AlertDefaults', {
  description: 'How new alerts notify their owner: the form for a new alert begins with it.',
})
export class AlertDefaultsType {}
for (const { name, type, description, nullable } of alertInputFields.filter(isDelivery)) {
  Field(type, { nullable, description })(AlertDefaultsType.prototype, name);
}

@InputType({
  description:
    "Changes to how new alerts notify their owner. Absent fields stay as they are; null sets the API's default.",
})
export class AlertDefaultsInput implements Partial<Record<keyof DeliveryChoice, unknown>> {}
for (const { name, type, description } of alertInputFields.filter(isDelivery)) {
  Field(type, { nullable: true, description })(AlertDefaultsInput.prototype, name);
}
