import { accountTexts, bounds, contactTexts, emailShape, generic } from '@lotwatch/api/form-rules';
import { object, string } from 'yup';

const text = () => string().trim().required(generic.required);

/** Rules of the contact form: all four fields are needed. */
export const contactSchema = object({
  name: text().max(bounds.name, contactTexts.nameLong),
  email: text().max(bounds.email, accountTexts.emailInvalid).matches(emailShape, {
    message: accountTexts.emailInvalid,
    // An empty one is reported as required only.
    excludeEmptyString: true,
  }),
  subject: text().max(bounds.subject, contactTexts.subjectLong),
  message: text().max(bounds.message, contactTexts.messageLong),
});
