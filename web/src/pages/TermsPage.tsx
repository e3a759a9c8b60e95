import { Prose } from '../ui/parts/Prose.tsx';

const sections = [
  {
    title: 'What LotWatch does',
    text: 'LotWatch watches car listings that others publish and tells you when one fits your alert. We sell no cars, and a listing is the word of its seller, not ours.',
  },
  {
    title: 'Your account',
    text: 'You must be at least 16 years old. Keep your password to yourself; what happens under your account is yours to answer for.',
  },
  {
    title: 'Alerts',
    text: 'How many alerts you may have depends on your plan. An alert expires after 6 weeks unless you renew it.',
  },
  {
    title: 'Fair use',
    text: 'Do not overload the service, and do not read it out by machine except through the interfaces we offer for that.',
  },
  {
    title: 'No promise of a car',
    text: 'LotWatch is in beta. We do our best to be fast and complete, but a listing may be missed, late or wrong. Check a car before you buy it.',
  },
  {
    title: 'The end',
    text: 'You may leave at any time. Accounts that are inactive for more than 24 months may be deleted.',
  },
];

export function TermsPage() {
  return <Prose title="Terms of Service" sections={sections} />;
}
