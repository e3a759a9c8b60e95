import { registerEnumType } from 'type-graphql';
import { SessionRestriction } from '../../domain/session-restriction.ts';

registerEnumType(SessionRestriction, {
  name: 'SessionRestriction',
  description: 'What the user must do before anything else is allowed.',
  valuesConfig: {
    password: { description: 'Choose a new password with changePassword.' },
    secondFactor: { description: 'Set up a second factor with startSecondFactor and confirmSecondFactor.' },
  },
});

export { SessionRestriction };
