import { chakra } from '@chakra-ui/react';
import { useSite } from '../../lib/server/site.ts';
import { Prose, ProseLink, type ProseSection } from '../../ui/parts/Prose.tsx';

const sections: readonly ProseSection[] = [
  {
    id: 'who-we-are',
    title: 'Who we are',
    children: (
      <p>
        LotWatch is run by the operator of this website, who answers for what happens to your data here. You reach the
        operator at
        <SupportEmail />
      </p>
    ),
  },
  {
    id: 'what-we-keep',
    title: 'What we keep',
    children: (
      <>
        <ul>
          <li>
            <strong>Your account:</strong> username, a scrambled form of your password that nobody can read back, your
            email or phone and whether you confirmed them, your time zone, your plan, when you registered and when you
            were last here.
          </li>
          <li>
            <strong>Your devices:</strong> where you are signed in: the names of browser and system, when you signed in
            and about when it was last used. You see them, and end them, in your{' '}
            <ProseLink to="/settings/devices">settings</ProseLink>.
          </li>
          <li>
            <strong>Your alerts:</strong> which cars you look for and where, and how you want to be told.
          </li>
          <li>
            <strong>Your matches:</strong> which listings fitted an alert, when we told you, and which ones you opened.
          </li>
          <li>
            <strong>Messages:</strong> the mails and texts that we sent you, what you wrote to us with the contact form,
            and your requests for deletion with their reasons. A number that replied STOP is kept, so that we text it no
            more.
          </li>
          <li>
            <strong>Payments:</strong> which plan you have paid for and until when. Card numbers go to the payment
            provider only; we never see them.
          </li>
        </ul>
        <p>
          Against abuse we count logins, registrations and messages by network address for a short time.{' '}
          <ProseLink to="/privacy-policy">Every single thing that is stored</ProseLink>, in your browser and on our
          server, has a page of its own.
        </p>
      </>
    ),
  },
  {
    id: 'what-for',
    title: 'What we use it for',
    children: (
      <>
        <p>
          To tell you about cars that fit your alerts: that is what you signed up for. Your email and phone are used
          only for notifications and for keeping your account safe.
        </p>
        <p>
          We show no advertising, build no profiles, and sell or lend nothing to anybody. No decision about you is made
          by a machine; the only thing that our machines judge is cars.
        </p>
      </>
    ),
  },
  {
    id: 'listings',
    title: 'Listings and demo data',
    children: (
      <>
        <p>
          Listings are what sellers published about their cars. Of them we keep the car: its title, price, mileage,
          looks and place, the addresses of its photos and of the listing itself. A record that could not be read is set
          aside as it came, for 30 days at most.
        </p>
        <p>
          A LotWatch that runs for trying out says so in a bar at the top. Its cars are made up and marked
          &#39;Demo&#39;, nothing is charged, and its mail stays on the machine.
        </p>
      </>
    ),
  },
  {
    id: 'who-helps-us',
    title: 'Who helps us',
    children: (
      <>
        <p>Three kinds of companies handle parts of your data for us, each only what its task needs:</p>
        <ul>
          <li>a mail provider: your email address and the mails that we send you;</li>
          <li>a text message provider: your phone number and the texts, where you asked for texts on a paid plan;</li>
          <li>a payment provider: what you enter when you pay for a plan.</li>
        </ul>
        <p>Nobody else gets your data unless a law obliges us.</p>
      </>
    ),
  },
  {
    id: 'how-long',
    title: 'How long we keep it',
    children: (
      <ul>
        <li>
          Alerts expire after 6 weeks unless you renew them. Expired ones stay in your list until you delete them.
        </li>
        <li>
          Matches stay until you delete their alert. Other listings are deleted 90 days after they were last seen.
        </li>
        <li>Accounts that are inactive for more than 24 months may be deleted.</li>
        <li>
          Everything else stays as long as your account. When it is deleted, all of it goes; what remains is a receipt
          with a number and no personal data.
        </li>
      </ul>
    ),
  },
  {
    id: 'your-rights',
    title: 'Your rights',
    children: (
      <>
        <p>
          You may see your data, correct it, take it with you, restrict or object to its use, and have it deleted. Most
          of it you do yourself, on the page <ProseLink to="/data-rights">Data rights</ProseLink>:
        </p>
        <ul>
          <li>
            <strong>Download:</strong> a file in JSON with your account, your alerts, your matches and what you viewed,
            the messages between us, and your requests.
          </li>
          <li>
            <strong>Deletion:</strong> ask for it there; requests are processed within 30 days.
          </li>
          <li>
            <strong>Correction:</strong> change email, phone and time zone in your{' '}
            <ProseLink to="/settings">settings</ProseLink>.
          </li>
        </ul>
        <p>
          For anything else <ProseLink to="/contact">write to us</ProseLink>. You may also complain to the data
          protection authority where you live.
        </p>
      </>
    ),
  },
  {
    id: 'age',
    title: 'Minimum age',
    children: (
      <p>
        You must be at least 16 years old to use LotWatch. If you learn that somebody younger has an account, tell us
        and we delete it.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    children: (
      <p>
        When this page changes, the date at its top does too. Earlier versions are yours for the{' '}
        <ProseLink to="/contact">asking</ProseLink>.
      </p>
    ),
  },
];

/** What is stored about people, why, for how long, and their rights. */
export function PrivacyPage() {
  return (
    <Prose
      title="Privacy Policy"
      lead="LotWatch knows which car you want and how to reach you, and nothing more than it needs for that."
      updated="Nov 22, 2026"
      sections={sections}
    />
  );
}

/** The support address on its own line, which is reserved before the address is loaded, so that no text moves. */
function SupportEmail() {
  const email = useSite()?.supportEmail;
  return (
    <chakra.span display="block" minH="1.7em">
      {email ? (
        <chakra.a
          href={`mailto:${email}`}
          color="brand"
          fontWeight="600"
          textDecoration="underline"
          textUnderlineOffset="3px"
          borderRadius="4px"
        >
          {email}
        </chakra.a>
      ) : null}
    </chakra.span>
  );
}
