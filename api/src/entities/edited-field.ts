import { Field } from 'type-graphql';

type FieldType = NonNullable<Parameters<typeof Field>[0]>;
interface InputField {
  name: string;
  type: FieldType;
  description: string;
  /** Whether the alert itself may have none. */
  nullable: boolean;
}

/** The fields that an alert's owner edits, as the inputs of GraphQL take them. */
export const alertInputFields: InputField[] = [];

/** Declares a field of the inputs alone. */
export const InputField =
  (type: FieldType, description: string, nullable = false): PropertyDecorator =>
  (_alert, name) => {
    alertInputFields.push({ name: String(name), type, description, nullable });
  };

interface EditedOptions {
  description: string;
  nullable?: boolean;
  /** The description in the inputs, where it is another one. */
  input?: string;
}

/** Declares a field that the owner edits, both of the type and of the inputs. */
export const EditedField =
  (type: FieldType, { input, ...options }: EditedOptions): PropertyDecorator =>
  (alert, name) => {
    InputField(type, input ?? options.description, options.nullable)(alert, name);
    Field(type, options)(alert, name);
  };
