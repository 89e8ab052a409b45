/** Checks whether dates exist. */

/** Whether `YYYY-MM-DD` is a day of the calendar: JavaScript takes the 31st of February for the 3rd of March. */
export function isOnCalendar(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Whether the moment lies in the years 0001 to 9999 of UTC: others have no form of ISO 8601 that the database takes. */
export function isWrittenInFourDigits(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999;
}
