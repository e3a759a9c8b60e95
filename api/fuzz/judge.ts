import type { Description, Operation } from './description/read-description.ts';
import type { Request, TimedAnswer } from './requests/send.ts';

export type Fault = 'fivexx' | 'html' | 'undescribed';

/** What is wrong with an answer, each with a sentence. */
export function judge(
  { operations, faultsOf }: Description,
  meant: Operation,
  request: Request,
  answer: TimedAnswer,
): [Fault, string][] {
  const faults: [Fault, string][] = [];
  const { status, headers, text } = answer;
  if (status >= 500 && !(status === 503 && codeOf(text) === 'NOT_CONFIGURED'))
    faults.push(['fivexx', text.slice(0, 300)]);
  const type = headers['content-type'] ?? '';
  if (type.includes('html') || /^\s*</.test(text)) faults.push(['html', text.slice(0, 100)]);
  const others = operations.filter(({ path }) => matches(path, request.path));
  const operation = request.method === meant.method ? meant : others.find(({ method }) => method === request.method);
  if (operation)
    return [...faults, ...faultsOf(operation, answer).map((fault): [Fault, string] => ['undescribed', fault])];
  // HEAD is GET without its body; OPTIONS changes nothing. Any other method is refused, with those that are taken.
  if (request.method === 'HEAD' || request.method === 'OPTIONS') return faults;
  const refused = status === 405 && codeOf(text) === 'METHOD_NOT_ALLOWED' && headers.allow?.includes(meant.method);
  // Who may not call at all is told that first.
  return refused || [401, 403, 413].includes(status)
    ? faults
    : [...faults, ['undescribed', `${request.method} is answered with ${status}`]];
}

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? '');

function codeOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { code?: unknown }).code;
  } catch {
    return undefined;
  }
}
