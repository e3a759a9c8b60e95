export type TextWord = 'stop' | 'start' | 'help';

/** Source: Twilio's default keywords for opting out, opting in and help, which count only as the whole message. */
const words: Readonly<Record<TextWord, readonly string[]>> = {
  stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  start: ['START', 'YES', 'UNSTOP'],
  help: ['HELP', 'INFO'],
};

/** What a reply asks for; null for anything else. Case, spaces and marks around the word don't count. */
export function readTextWord(body: string): TextWord | null {
  const [said = '', ...more] = body.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
  const found = more.length > 0 ? undefined : Object.entries(words).find(([, list]) => list.includes(said));
  return (found?.[0] as TextWord | undefined) ?? null;
}
