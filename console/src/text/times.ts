const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** A past time relative to now; a date beyond a month. */
export function ago(at: string | number | Date, now: number = Date.now()): string {
  const time = new Date(at).getTime();
  const passed = now - time;
  if (passed < 0) return until(time, now);
  if (passed < 45_000) return 'just now';
  if (passed < hourMs) return `${Math.max(1, Math.round(passed / minuteMs))} min ago`;
  if (passed < dayMs) return `${Math.round(passed / hourMs)} h ago`;
  if (passed < 30 * dayMs) return `${Math.round(passed / dayMs)} d ago`;
  return dayName(time, now);
}

/** A future time relative to now. */
export function until(at: string | number | Date, now: number = Date.now()): string {
  const time = new Date(at).getTime();
  const left = time - now;
  if (left < minuteMs) return 'in a moment';
  if (left < hourMs) return `in ${Math.round(left / minuteMs)} min`;
  if (left < dayMs) return `in ${Math.round(left / hourMs)} h`;
  if (left < 30 * dayMs) return `in ${Math.round(left / dayMs)} d`;
  return dayName(time, now);
}

/** A day: 14 Nov, with the year when it is not the current one. */
export function dayName(at: string | number | Date, now: number = Date.now()): string {
  const date = new Date(at);
  return (date.getFullYear() === new Date(now).getFullYear() ? day : dayOfYear).format(date);
}

/** The time of day in the reader's time zone: 23:56. */
export const clockTime = (at: string | number | Date): string => clock.format(new Date(at));

/** A day with the time of day in the reader's time zone: 14 Nov, 23:56. */
export const dayAndTime = (at: string | number | Date, now: number = Date.now()): string =>
  `${dayName(at, now)}, ${clockTime(at)}`;

/** The exact time in the reader's time zone. */
export const exact = (at: string | number | Date): string => moment.format(new Date(at));

/** A number of days in the best unit: 12 days, 8 months, 29 years. */
export function spanOfDays(days: number): string {
  if (days < 90) return days === 1 ? '1 day' : `${days} days`;
  if (days < 730) return `${Math.round(days / 30.4)} months`;
  return `${Math.floor(days / 365.25)} years`;
}
