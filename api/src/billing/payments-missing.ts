import { AppError } from '../base/errors.ts';

/** What everything that needs a payment is answered while nobody can take one. */
export const paymentsMissing = (): AppError => new AppError('NOT_CONFIGURED', 'Payments are not set up');
