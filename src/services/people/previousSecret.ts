/** How long the previous secret or token keeps working beside the new one. */
import type { Context } from '../../context.js';
import { badInput } from '../../errors.js';

const hourMs = 3_600_000;
const hoursOfYear = 8_760;

/** When the previous one ends; null: now. Throws BAD_USER_INPUT beyond `hoursMax`. */
export function endOfPrevious({ clock }: Context, keepPreviousHours: number, hoursMax = hoursOfYear): Date | null {
  if (!(keepPreviousHours >= 0 && keepPreviousHours <= hoursMax))
    throw badInput({ keepPreviousHours: [`The keepPreviousHours field must be a number from 0 to ${hoursMax}.`] });
  return keepPreviousHours > 0 ? new Date(clock.now().getTime() + keepPreviousHours * hourMs) : null;
}
