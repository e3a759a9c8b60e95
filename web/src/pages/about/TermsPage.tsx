import { Prose, ProseLink, type ProseSection } from '../../ui/parts/Prose.tsx';

const sections: readonly ProseSection[] = [
  {
    id: 'what-it-does',
    title: 'What LotWatch does',
    children: (
      <p>
        LotWatch watches car listings that others publish and tells you when one fits your alert. We sell no cars, we
        are no party to a purchase, and a listing is the word of its seller, not ours.
      </p>
    ),
  },
  {
    id: 'your-account',
    title: 'Your account',
    children: (
      <p>
        You must be at least 16 years old. Give an email or phone that is yours, keep your password to yourself, and
        know that what happens under your account is yours to answer for.
      </p>
    ),
  },
  {
    id: 'alerts',
    title: 'Alerts',
    children: (
      <p>
        How many alerts you may have at a time depends on your plan. An alert expires after 6 weeks unless you renew it;
        we remind you three days before. An expired alert watches nothing until you renew it.
      </p>
    ),
  },
  {
    id: 'plans',
    title: 'Plans and payment',
    children: (
      <ul>
        <li>The Free plan costs nothing and needs no credit card.</li>
        <li>Paid plans are billed each month in advance, by our payment provider, until you cancel.</li>
        <li>When you go back to Free, the paid plan runs to the end of the month that is paid for.</li>
        <li>A smaller plan pauses your newest alerts above its limit. It deletes none.</li>
        <li>
          Prices are on the page <ProseLink to="/subscription">Plans</ProseLink>; a new price holds from your next month
          at the earliest.
        </li>
      </ul>
    ),
  },
  {
    id: 'notifications',
    title: 'Mails and texts',
    children: (
      <p>
        Matches go to the email or phone in your settings. Each mail has links that pause the alert or end its mails; a
        text ends with the answer STOP. Mails and texts pass through the networks of others, so we can&#39;t promise
        when they arrive.
      </p>
    ),
  },
  {
    id: 'fair-use',
    title: 'Fair use',
    children: (
      <p>
        Do not overload the service, do not try to reach what belongs to others, and do not read it out by machine
        except through the interfaces that we offer for that. We may limit or close accounts that do.
      </p>
    ),
  },
  {
    id: 'no-promise',
    title: 'No promise of a car',
    children: (
      <p>
        LotWatch is in beta. We do our best to be fast and complete, but a listing may be missed, late or wrong. Check a
        car, its papers and its seller before you pay.
      </p>
    ),
  },
  {
    id: 'the-end',
    title: 'The end',
    children: (
      <p>
        You may leave at any time: ask for deletion on the page <ProseLink to="/data-rights">Data rights</ProseLink>,
        and it is done within 30 days. Accounts that are inactive for more than 24 months may be deleted. What we keep
        of you, and how long, is in the <ProseLink to="/privacy">Privacy Policy</ProseLink>.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and questions',
    children: (
      <p>
        When these terms change, the date at the top does too. Ask us anything on the page{' '}
        <ProseLink to="/contact">Contact Us</ProseLink>.
      </p>
    ),
  },
];

/** What users and LotWatch may expect of each other. */
export function TermsPage() {
  return (
    <Prose
      title="Terms of Service"
      lead="The rules, in plain words. By using LotWatch you agree to them."
      updated="Nov 21, 2026"
      sections={sections}
    />
  );
}
