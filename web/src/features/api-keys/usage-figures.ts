export interface UsageHour {
  hour: string;
  ok: number;
  refused: number;
}

/** One day of the chart, in the viewer's time zone. */
export interface UsageDay {
  /** `Sun, Nov 22`. */
  name: string;
  /** The index of its first hour among all hours. */
  start: number;
  ok: number;
  refused: number;
}

export const totalOf = (hours: readonly UsageHour[]): { ok: number; refused: number } => ({
  ok: hours.reduce((sum, { ok }) => sum + ok, 0),
  refused: hours.reduce((sum, { refused }) => sum + refused, 0),
});

/** The top of the scale: the first of 4, 6, 8, 10, 20, 30, 40, 60 … that holds the busiest hour; half of it is whole. */
export function scaleOf(hours: readonly UsageHour[]): number {
  const most = Math.max(0, ...hours.map(({ ok, refused }) => ok + refused));
  for (let unit = 1; ; unit *= 10) {
    const fit = [4, 6, 8, 10, 20, 30].map((step) => step * unit).find((top) => top >= most);
    if (fit !== undefined) return fit;
  }
}

const dayName = (at: string) =>
  new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric' }).format(new Date(at));

/** `Sun, Nov 22, 2 PM`, in the viewer's time zone. */
export const hourName = (at: string): string =>
  new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric' }).format(
    new Date(at),
  );

/** The width of a day's name, in hours of the chart. */
const NAME_HOURS = 12;

/** The days that are labelled below a chart of that many hours: those that begin early enough for the label to fit. */
export const namedDays = (days: readonly UsageDay[], hourCount: number): UsageDay[] =>
  days.filter(({ start }) => start > 0 && hourCount - start >= NAME_HOURS);

export function daysOf(hours: readonly UsageHour[]): UsageDay[] {
  const days: UsageDay[] = [];
  for (const [start, { hour, ok, refused }] of hours.entries()) {
    const name = dayName(hour);
    const last = days.at(-1);
    if (last?.name === name) {
      last.ok += ok;
      last.refused += refused;
    } else days.push({ name, start, ok, refused });
  }
  return days;
}
