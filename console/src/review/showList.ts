/** Opens the list that proves a number of an effect, and goes there: its button says of what it is. */
export function showList(of: 'gain' | 'lose' | 'applications'): void {
  const button = document.querySelector<HTMLElement>(`[data-list="${of}"]`);
  if (button?.getAttribute('aria-expanded') === 'false') button.click();
  button?.scrollIntoView({ block: 'center' });
  button?.focus();
}
