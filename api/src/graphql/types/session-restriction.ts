import { registerEnumType } from 'type-graphql';
import { SessionRestriction } from '../../domain/session-restriction.ts';

registerEnumType(SessionRestriction, {
  name: 'SessionRestriction',
  description: 'What somebody has to do first, who may do nothing else until then.',
  valuesConfig: {
    password: { description: 'Choose a password of their own, with changePassword.' },
    secondFactor: { description: 'Set up a second factor, with startSecondFactor and confirmSecondFactor.' },
  },
});

export { SessionRestriction };
