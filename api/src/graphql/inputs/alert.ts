import { Field, ID, InputType } from 'type-graphql';
import { requiredAlertFields } from '../../domain/forms/alert.ts';
import { alertInputFields } from '../../entities/alert.ts';

/** Gives an input all fields that an alert's owner edits. */
function addFields(input: new () => object, required: readonly string[]): void {
  for (const { name, type, description } of alertInputFields) {
    Field(type, { nullable: !required.includes(name), description })(input.prototype, name);
  }
}

@InputType({ description: 'A new alert. An absent bound means no limit.' })
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
