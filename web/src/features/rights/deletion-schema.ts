import { bounds, deletionTexts } from '@lotwatch/api/form-rules';
import { boolean, object, string } from 'yup';

/** Rules of the form that asks for the deletion of one's data. */
export const deletionSchema = object({
  reason: string().trim().required(deletionTexts.reasonRequired).max(bounds.reason, deletionTexts.reasonLong),
  confirmed: boolean().oneOf([true], 'Please confirm that you understand this.'),
});
