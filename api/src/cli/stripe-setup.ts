import { readSettings, SettingsError } from '../base/settings/settings.ts';
import { PaymentFault } from '../vendors/payments/payments.ts';
import { setUpStripe } from '../vendors/payments/set-up-stripe.ts';

async function run(): Promise<void> {
  const { stripe, publicUrl } = readSettings({ ...process.env, ROLE: 'all' });
  if (!stripe) throw new SettingsError(['STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET: required here']);
  const made: string[] = [];
  await setUpStripe({
    stripe,
    publicUrl,
    onMade(what) {
      made.push(what);
      process.stderr.write(`created: ${what}\n`);
    },
  });
  process.stderr.write(
    made.length > 0 ? 'Stripe is ready.\n' : 'Stripe was already set up; nothing had to be created.\n',
  );
  process.stdout.write(`${JSON.stringify({ made })}\n`);
}

run().catch((error: unknown) => {
  const reason = error instanceof PaymentFault && error.cause instanceof Error ? error.cause : error;
  process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`);
  process.exitCode = 1;
});
