import { object } from 'yup';
import { shortText } from './fields.ts';

export const reasonRequired = 'Please provide a reason for your deletion request.';

/** The form that requests the deletion of one's data. */
export const deletionRequestSchema = object({
  reason: shortText('Reason', 2_000).required(reasonRequired),
});

/** The admin's notes on a request. */
export const deletionNotesSchema = object({ notes: shortText('Notes', 2_000) });
