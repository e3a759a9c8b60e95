import { AppError } from '../../../base/errors.ts';

const MAX_RULES = 500;
const MAX_PATTERN = 200;
const MAX_STARS = 3;

/** A pattern in the bounds, which matches what the whole one does, and more if that is beyond them. */
function shortened(pattern: string): string {
  const parts = pattern.slice(0, MAX_PATTERN).split('*', MAX_STARS + 1);
  const short = parts.join('*');
  return short.length === pattern.length ? pattern : short;
}

/**
 * A robots.txt whose rules can be applied to many addresses in a short time: each rule is compared with each address, in
 * time that grows with both lengths. What a longer pattern forbids is forbidden with all that begins in the same way, and
 * what it allows is left out. Rules for other robots are left out too.
 * @throws AppError MALFORMED when more than 500 rules apply to us, as ignoring some could read what they forbid
 */
export function boundedRobots(text: string, robot: string): string {
  const ours = new Set([robot.toLowerCase(), '*']);
  const counts = new Map<string, number>();
  let agents: string[] = [];
  let isGroupBegun = false;
  const kept = text.split(/\r\n|\r|\n/).flatMap((line) => {
    const [, name = '', value = ''] = /^([^:#]*):([^#]*)/.exec(line) ?? [];
    const field = name.trim().toLowerCase();
    if (field === '') return [];
    if (field === 'user-agent') {
      const agent = value.toLowerCase().split('/')[0]?.trim() ?? '';
      agents = isGroupBegun ? [...agents, agent] : [agent];
      isGroupBegun = true;
      return line;
    }
    isGroupBegun = false;
    if (field !== 'allow' && field !== 'disallow') return line;
    const pattern = value.trim();
    const short = shortened(pattern);
    const applying = agents.filter((agent) => ours.has(agent));
    if (applying.length === 0 || (field === 'allow' && short !== pattern)) return [];
    for (const agent of applying) counts.set(agent, (counts.get(agent) ?? 0) + 1);
    return `${field}: ${short}`;
  });
  if (Math.max(0, ...counts.values()) > MAX_RULES)
    throw new AppError('MALFORMED', `robots.txt has more than ${MAX_RULES} rules for us, so that nothing is read.`);
  return kept.join('\n');
}
