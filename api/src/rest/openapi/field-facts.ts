import { colors, makes } from '../../domain/catalogue.ts';
import { bounds, lastYear } from '../../domain/form-rules.ts';
import type { JsonSchema } from '../calls/answers.ts';

const text = (maxLength: number, example: string): JsonSchema => ({
  minLength: 1,
  maxLength,
  // Spaces alone are no text.
  pattern: '\\S',
  examples: [example],
});
const choice = (options: readonly { value: string }[], example: string): JsonSchema => ({
  enum: options.map(({ value }) => value),
  examples: [example],
});
const wholeDollars = (example: number): JsonSchema => ({ minimum: 0, maximum: bounds.price, examples: [example] });
const modelYear = (example: number): JsonSchema => ({
  minimum: bounds.firstYear,
  maximum: lastYear(new Date()),
  examples: [example],
});
const newPassword: JsonSchema = {
  minLength: bounds.passwordMin,
  maxLength: bounds.password,
  examples: ['correct horse battery'],
};

/** What the GraphQL type of an input doesn't say: bounds and an example, by the name of the input. */
const facts: Readonly<Record<string, JsonSchema>> = {
  username: text(bounds.username, 'carbuyer'),
  password: newPassword,
  code: { examples: ['123456'] },
  currentPassword: { minLength: 1, examples: ['correct horse battery'] },
  newPassword: { ...newPassword, examples: ['battery staple horse'] },
  email: { format: 'email', maxLength: bounds.email, examples: ['carbuyer@example.com'] },
  phone: { maxLength: bounds.phone, pattern: '^[^\\u0000-\\u001f\\u007f]*$', examples: ['+1 512 555 0100'] },
  timeZone: { maxLength: 60, examples: ['America/Chicago'] },
  make: choice(makes, 'toyota'),
  model: { examples: ['camry'] },
  yearMin: modelYear(2015),
  yearMax: modelYear(2022),
  location: text(bounds.location, 'Austin, TX'),
  radius: { enum: bounds.radii, examples: [50] },
  priceMin: wholeDollars(4_000),
  priceMax: wholeDollars(18_000),
  color: choice(colors, 'any'),
  onlyWithImages: { examples: [true] },
  emailNotifications: { examples: [true] },
  textNotifications: { examples: [false] },
  isActive: { examples: [true] },
  planId: { examples: [1] },
  sessionId: { minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_-]+$', examples: ['cs_test_a1b2c3'] },
  session_id: { minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9_-]+$', examples: ['cs_test_a1b2c3'] },
  name: text(bounds.name, 'A car buyer'),
  subject: text(bounds.subject, 'A question'),
  message: text(bounds.message, 'How far does a radius of 100 miles reach?'),
  status: { examples: ['approved'] },
  notes: { maxLength: bounds.notes, examples: ['Asked by mail as well.'] },
  id: { examples: [7] },
  ids: { examples: [7] },
  alerts: {},
  userId: { examples: [7] },
  requestId: { minLength: 1, maxLength: 40, examples: ['DR-7F3K2Q'] },
  alertId: { examples: [7] },
  first: { minimum: 1, maximum: 100, examples: [20] },
  after: { minLength: 1, examples: ['MTIzNDU2LjEyMDQuNw'] },
};

/** Where a name means something else: by the operation's field. */
const exceptions: Readonly<Record<string, JsonSchema>> = {
  'login.username': { minLength: 1, pattern: '\\S', examples: ['carbuyer'] },
  'login.password': { minLength: 1, examples: ['correct horse battery'] },
};

/** @param operation the field of GraphQL's Query or Mutation @throws Error for an input nobody has described */
export function factsOf(operation: string, name: string): JsonSchema {
  const found = exceptions[`${operation}.${name}`] ?? facts[name];
  if (!found) throw new Error(`Describe ${name}, an input of ${operation}, in field-facts.ts.`);
  return found;
}

const order = Object.keys(facts);

/** For sorting: inputs stand in the order of this file, which is that of the forms. */
export const byOrder = (a: { name: string }, b: { name: string }): number =>
  order.indexOf(a.name) - order.indexOf(b.name);
