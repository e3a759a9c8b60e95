import { z } from 'zod';
import { call } from '../protocol/call.ts';
import { listFields, text } from '../protocol/fields.ts';
import { listOf } from '../protocol/list.ts';

export const eventCalls = [
  call('GET', '/v1/events/:id', {}, (change, _given, id) => change.edit('event', id)),
  call(
    'GET',
    '/v1/events',
    { ...listFields, type: text.optional(), types: z.array(text).max(20).optional() },
    (change, { type, types, ...page }) => {
      const wanted = change
        .all('event')
        .filter((one) => (type === undefined || one.type === type) && (!types || types.includes(one.type)));
      return listOf('/v1/events', wanted, page);
    },
  ),
];
