import { Prose } from '../ui/parts/Prose.tsx';

const sections = [
  {
    title: 'What we keep',
    text: 'Your username, a scrambled form of your password, your email or phone, your time zone, your alerts, and which listings matched them or were viewed by you.',
  },
  {
    title: 'What for',
    text: 'To tell you about cars that fit your alerts. Email and phone are used for notifications only. We sell nothing to anybody.',
  },
  {
    title: 'How long',
    text: 'Alerts expire after 6 weeks unless you renew them. Matches stay until you delete their alert; other listings are deleted 90 days after they were last seen. Accounts that are inactive for more than 24 months may be deleted.',
  },
  {
    title: 'Your rights',
    text: 'You may ask for your data, its correction or its deletion at any time. Deletion requests are processed within 30 days.',
  },
  { title: 'Age', text: 'You must be at least 16 years old to use LotWatch.' },
  {
    title: 'Cookies',
    text: 'One cookie keeps you signed in for up to 30 days. Your choice of light or dark colors stays in your browser.',
  },
];

export function PrivacyPage() {
  return <Prose title="Privacy Policy" sections={sections} />;
}
