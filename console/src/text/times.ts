const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];
const twoDigits = (value: number): string => String(value).padStart(2, '0');
const dayOf = (date: Date): string => `${date.getDate()} ${months[date.getMonth()]}`;

/** A past time relative to now; a date beyond a month. */
export function ago(at: string | number | Date, now: number = Date.now()): string {
  const time = new Date(at).getTime();
  const passed = now - time;
  if (passed < 0) return until(time, now);
  if (passed < 45_000) return 'just now';
  if (passed < 59.5 * minuteMs) return `${Math.max(1, Math.round(passed / minuteMs))} min ago`;
  if (passed < 23.5 * hourMs) return `${Math.round(passed / hourMs)} h ago`;
  if (passed < 30 * dayMs) return `${Math.round(passed / dayMs)} d ago`;
  return dayName(time, now);
}

/** A future time relative to now. */
export function until(at: string | number | Date, now: number = Date.now()): string {
  const time = new Date(at).getTime();
  const left = time - now;
  if (left < minuteMs) return 'in a moment';
  if (left < 59.5 * minuteMs) return `in ${Math.round(left / minuteMs)} min`;
  if (left < 23.5 * hourMs) return `in ${Math.round(left / hourMs)} h`;
  if (left < 30 * dayMs) return `in ${Math.round(left / dayMs)} d`;
  return dayName(time, now);
}

/** A day: 14 Nov, with the year when it is not the current one. */
export function dayName(at: string | number | Date, now: number = Date.now()): string {
  const date = new Date(at);
  const year = date.getFullYear();
  return year === new Date(now).getFullYear() ? dayOf(date) : `${dayOf(date)} ${year}`;
}

/** A day of the reader's time zone, for names of files: 2026-11-14. */
export function isoDay(at: string | number | Date): string {
  const date = new Date(at);
  return [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
}

/** The time of day in the reader's time zone: 23:56. */
export function clockTime(at: string | number | Date): string {
  const date = new Date(at);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** A day with the time of day in the reader's time zone: 14 Nov, 23:56. */
export const dayAndTime = (at: string | number | Date, now: number = Date.now()): string =>
  `${dayName(at, now)}, ${clockTime(at)}`;

/** The time of day of a moment of today; the day, too, of any other. */
export const dayOrTime = (at: string | number | Date, now: number = Date.now()): string =>
  isoDay(at) === isoDay(now) ? clockTime(at) : dayAndTime(at, now);

/** The exact time in the reader's time zone: 14 Nov 2026, 23:56:03 UTC+1. */
export function exact(at: string | number | Date): string {
  const date = new Date(at);
  return `${dayOf(date)} ${date.getFullYear()}, ${clockTime(date)}:${twoDigits(date.getSeconds())} ${zoneOf(date)}`;
}

function zoneOf(date: Date): string {
  const ahead = -date.getTimezoneOffset();
  if (ahead === 0) return 'UTC';
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  return `UTC${ahead < 0 ? '−' : '+'}${hours}${minutes === 0 ? '' : `:${twoDigits(minutes)}`}`;
}

/** A number of days in the best unit: 12 days, 8 months, 29 years. */
export function spanOfDays(days: number): string {
  if (days < 90) return days === 1 ? '1 day' : `${days} days`;
  if (days < 730) return `${Math.round(days / 30.4)} months`;
  return `${Math.floor(days / 365.25)} years`;
}
