/** The code that confirms a phone. It also says how to end texts, as the first text to a number has to. */
export function codeText(code: string): string {
  return `${code} is your LotWatch code. It works for 10 minutes; give it to nobody. Msg & data rates may apply. Reply STOP to end, HELP for help.`;
}

/** The answer to HELP. */
export function helpText(site: { publicUrl: string; supportEmail: string }): string {
  return `LotWatch: texts about cars that match your alerts. Change them at ${site.publicUrl}/settings or write to ${site.supportEmail}. Msg & data rates may apply. Reply STOP to end.`;
}
