const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `2003-03-17`, `2003/03/17`, `2001. 07. 28.`, `2001-Aug-23`, `20030317`, each with or without a time after it. */
const yearFirst = /^(\d{4})(?:[-/]|\. ?)?(\d{2}|[a-z]{3})(?:[-/]|\. ?)?(\d{2})(?!\d)/;
/** `17.03.2003`, `3.10.1991`, `17/03/2003`, `17-03-2003`: every registry that writes digits so puts the day first. */
const dayFirst = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?!\d)/;
/** `26-Jul-1996`, `08 Oct 1999`, `30th April 2003`. */
const dayMonthName = /^(\d{1,2})(?:st|nd|rd|th)?[- ]([a-z]{3})[a-z]*[- ](\d{4})(?!\d)/;
/** `Tue Dec 12 2000`, `July 1 1998`. */
const monthNameDay = /^(?:[a-z]{3},? )?([a-z]{3})[a-z]* {1,2}(\d{1,2}),? (\d{4})(?!\d)/;
/** `Tue Mar 30 10:08:33 2004`, the form of C's asctime. */
const clockBeforeYear = /^[a-z]{3} ([a-z]{3}) {1,2}(\d{1,2}) \d{2}:\d{2}:\d{2} (\d{4})(?!\d)/;
/** The time and offset that follow a year-first date. */
const timeOfDay = /^[t ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)? ?(?:z|([+-])(\d{2}):?(\d{2})?(?!\d))?/;

/**
 * The moment a WHOIS date begins with, in epoch ms; null when it begins with none. WHOIS has no date format
 * (RFC 3912), so these are the ones registries use. A time without an offset is read as UTC: the age is in days.
 */
export function parseWhoisDate(text: string): number | null {
  const value = text.trim().toLowerCase();
  const ymd = yearFirst.exec(value);
  if (ymd !== null) {
    const dayMs = utcDay(ymd[1], ymd[2], ymd[3]);
    return dayMs === null ? null : dayMs + timeMs(value.slice(ymd[0].length));
  }
  const dmy = dayFirst.exec(value) ?? dayMonthName.exec(value);
  if (dmy !== null) return utcDay(dmy[3], dmy[2], dmy[1]);
  const mdy = clockBeforeYear.exec(value) ?? monthNameDay.exec(value);
  return mdy === null ? null : utcDay(mdy[3], mdy[1], mdy[2]);
}

/** Midnight UTC of a day that exists. */
function utcDay(year = '', month = '', day = ''): number | null {
  const named = months.indexOf(month);
  const monthIndex = named === -1 ? Number(month) - 1 : named;
  const atMs = Date.UTC(Number(year), monthIndex, Number(day));
  const date = new Date(atMs);
  return date.getUTCMonth() === monthIndex && date.getUTCDate() === Number(day) ? atMs : null;
}

function timeMs(rest: string): number {
  const time = timeOfDay.exec(rest);
  if (time === null) return 0;
  const [, hours, minutes, seconds = '0', sign, offsetHours = '0', offsetMinutes = '0'] = time;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  return ((Number(hours) * 60 + Number(minutes) - offset) * 60 + Number(seconds)) * 1_000;
}
