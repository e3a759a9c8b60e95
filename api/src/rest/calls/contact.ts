import { field } from './answers.ts';
import type { Call } from './call.ts';

export const contactCalls: readonly Call[] = [
  {
    method: 'POST',
    path: '/contact',
    summary: 'Send a message to those who run this LotWatch',
    tag: 'Contact',
    operation: 'mutation ($input: ContactInput!) { sendContactMessage(input: $input) { message } }',
    status: 201,
    answer: field('sendContactMessage'),
  },
];
