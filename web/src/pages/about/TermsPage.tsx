import { Prose, ProseLink, type ProseSection } from '../../ui/parts/sections/Prose.tsx';

const sections: readonly ProseSection[] = [
  {
    id: 'what-it-does',
    title: 'What LotWatch does',
    children: (
      <p>
        LotWatch monitors car listings that others publish and notifies you when one matches your alert. We sell no cars
        and are not a party to any purchase. The seller is responsible for the content of a listing.
      </p>
    ),
  },
  {
    id: 'your-account',
    title: 'Your account',
    children: (
      <p>
        You must be at least 16 years old. Use your own email or phone and keep your password secret. You are
        responsible for what happens under your account.
      </p>
    ),
  },
  {
    id: 'alerts',
    title: 'Alerts',
    children: (
      <p>
        How many alerts you may have at a time depends on your plan. An alert expires after 6 weeks unless you renew it;
        we remind you three days before. An expired alert finds no cars until you renew it.
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
        <li>When you return to Free, the paid plan continues until the end of the paid month.</li>
        <li>A smaller plan pauses your newest alerts above its limit. It deletes none.</li>
        <li>
          Prices are on the page <ProseLink to="/subscription">Plans</ProseLink>; a new price applies from your next
          month at the earliest.
        </li>
      </ul>
    ),
  },
  {
    id: 'notifications',
    title: 'Mails and texts',
    children: (
      <p>
        Matches go to the email or phone in your settings. Each mail has links to pause the alert or to end its mails.
        To end texts, reply STOP. Mails and texts pass through other networks, so we can&#39;t guarantee when they
        arrive.
      </p>
    ),
  },
  {
    id: 'fair-use',
    title: 'Fair use',
    children: (
      <p>
        Do not overload the service, do not try to access the data of others, and do not extract data automatically
        except through the APIs that we provide. We may limit or close accounts that do.
      </p>
    ),
  },
  {
    id: 'no-guarantee',
    title: 'No guarantee',
    children: (
      <p>
        LotWatch is in beta. We do our best to be fast and complete, but a listing may be missed, late or wrong. Check a
        car, its papers and its seller before you pay.
      </p>
    ),
  },
  {
    id: 'ending-your-account',
    title: 'Ending your account',
    children: (
      <p>
        You may close your account at any time: request its deletion on the page{' '}
        <ProseLink to="/data-rights">Data rights</ProseLink>, and we will process it within 30 days. Accounts that are
        inactive for more than 24 months may be deleted. The <ProseLink to="/privacy">Privacy Policy</ProseLink>{' '}
        describes what we store about you, and for how long.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and questions',
    children: (
      <p>
        When these terms change, we update the date at the top. Send questions to us on the page{' '}
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
      lead="The rules, in plain language. By using LotWatch, you agree to them."
      updated="Nov 25, 2026"
      sections={sections}
    />
  );
}
