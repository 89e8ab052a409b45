/** Dates that exist. */

/** Whether `YYYY-MM-DD` is a day of the calendar: JavaScript takes the 31st of February for the 3rd of March. */
export function isOnCalendar(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
