import { chakra } from '@chakra-ui/react';
import { useSite } from '../../lib/server/site.ts';
import { Prose, ProseLink, type ProseSection } from '../../ui/parts/sections/Prose.tsx';

const sections: readonly ProseSection[] = [
  {
    id: 'who-we-are',
    title: 'Who we are',
    children: (
      <p>
        LotWatch is run by the operator of this website, who is responsible for your data. Contact the operator at
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
            <strong>Your account:</strong> username, a hash of your password, your email or phone and whether you
            confirmed them, your time zone, your plan, and when you registered and last visited.
          </li>
          <li>
            <strong>Your devices:</strong> where you are signed in: the names of browser and system, when you signed in,
            and roughly when each was last used. You can see and end these sessions in your{' '}
            <ProseLink to="/settings/devices">settings</ProseLink>.
          </li>
          <li>
            <strong>Your alerts:</strong> which cars you look for and where, and how you want to be notified, also of
            new alerts.
          </li>
          <li>
            <strong>Your matches:</strong> which listings matched an alert, when we notified you, and which ones you
            opened, saved or hid.
          </li>
          <li>
            <strong>Your shared links:</strong> which alerts and lists of cars you show to others by a link, until you
            end it, change your password or sign out all other devices, or 90 days have passed. They show the cars and,
            of an alert, the town, the price limits and the other criteria but your words for titles, and not who you
            are.
          </li>
          <li>
            <strong>Messages:</strong> the mails, texts and push messages that we sent you, what you wrote to us with
            the contact form, and your requests for deletion with their reasons. A number that replied STOP is kept, so
            that we send no more texts to it.
          </li>
          <li>
            <strong>Payments:</strong> which plan you have paid for and until when. Card numbers go to the payment
            provider only; we never see them.
          </li>
        </ul>
        <p>
          To prevent abuse, we count logins, registrations and messages by network address for a short time. For a
          complete list, see <ProseLink to="/privacy-policy">everything that we store</ProseLink> in your browser and on
          our server.
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
          To notify you about cars that match your alerts. Your email and phone are used only for notifications and for
          keeping your account safe.
        </p>
        <p>
          We show no advertising, build no profiles, and do not sell or share your data. We make no automated decisions
          about you; only listings are evaluated automatically.
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
          Listings are what sellers published about their cars. We store the title, price, mileage, color and location
          of the car, and the addresses of its photos and of the listing. A record that could not be read is stored
          unchanged for at most 30 days.
        </p>
        <p>
          An installation in test mode shows a bar at the top. Its cars are fictional and marked &#39;Demo&#39;, nothing
          is charged, and its mail stays on the machine.
        </p>
      </>
    ),
  },
  {
    id: 'who-helps-us',
    title: 'Service providers',
    children: (
      <>
        <p>Four kinds of companies process parts of your data for us, each only what it needs for its task:</p>
        <ul>
          <li>a mail provider: your email address and the mails that we send you;</li>
          <li>a text message provider: your phone number and the texts, if you turned on texts on a paid plan;</li>
          <li>
            the push service of your browser&#39;s maker: the address of your browser there, and push messages, which
            are encrypted for your browser, if you turned them on;
          </li>
          <li>a payment provider: what you enter when you pay for a plan.</li>
        </ul>
        <p>We give your data to nobody else unless the law requires it.</p>
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
          Matches stay until you delete their alert. Two kinds are deleted earlier, unless you saved or hid the car:
          those of cars that are no longer offered, after a time that the operator sets, usually a little more than a
          year; and those beyond the newest 1,000 of an alert.
        </li>
        <li>Listings without a match are deleted 90 days after they were last seen.</li>
        <li>Accounts that are inactive for more than 24 months may be deleted.</li>
        <li>Push messages, and messages of the contact form, are deleted after 12 months.</li>
        <li>
          A browser gets push messages until you turn them off, sign out there or change your password elsewhere, until
          somebody else signs in there, or until it could not be reached for a month.
        </li>
        <li>
          Everything else is kept at most as long as your account, and is deleted with it. What remains is a receipt
          with a number and without personal data, and, so that we send no more matches to them, addresses and numbers
          that you did not confirm and where our mail was reported as spam, was unsubscribed from, or a text was
          answered STOP.
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
          You may see your data, correct it, take it with you, restrict or object to its use, and have it deleted. You
          can do most of this yourself on the page <ProseLink to="/data-rights">Data rights</ProseLink>:
        </p>
        <ul>
          <li>
            <strong>Download:</strong> a file in JSON with your account, your alerts, your matches and what you viewed
            or saved, your devices with push notifications, the messages between us, and your requests.
          </li>
          <li>
            <strong>Deletion:</strong> request it there; requests are processed within 30 days.
          </li>
          <li>
            <strong>Correction:</strong> change email, phone and time zone in your{' '}
            <ProseLink to="/settings">settings</ProseLink>.
          </li>
        </ul>
        <p>
          For anything else, <ProseLink to="/contact">write to us</ProseLink>. You may also complain to the data
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
        You must be at least 16 years old to use LotWatch. If you learn that a younger person has an account, tell us,
        and we will delete it.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    children: (
      <p>
        When this page changes, we update the date at the top. <ProseLink to="/contact">Contact us</ProseLink> for
        earlier versions.
      </p>
    ),
  },
];

/** What is stored about people, why, for how long, and their rights. */
export function PrivacyPage() {
  return (
    <Prose
      title="Privacy Policy"
      lead="LotWatch stores which car you want and how to reach you, and nothing that it does not need for this."
      updated="Nov 26, 2026"
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
