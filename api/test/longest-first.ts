import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that would keep one worker busy long after the others are done, had they begun last; the longest first. */
const LONG = [
  ...['states', 'every-page', 'outage', 'hostile', 'routes'].map((name) => `/web/e2e/${name}.test.ts`),
  ...[
    'poll/read-hostile',
    'races/races',
    'schedule/agenda',
    'matching/match-oracle',
    'rest/contract',
    'positions/other-server',
    'clean-up/step-job',
    'base/silent-database',
    'cli/quarantine',
    'postgres/embedded-postgres',
  ].map((name) => `/${name}.integration.test.ts`),
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((end) => moduleId.endsWith(end));
  return at < 0 ? LONG.length : at;
};

/** A fresh checkout knows no durations yet, and vitest would go by the sizes of files. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
