/** How much of a whole is done; the words beside it say the same. */
import '../theme/bar.css';
export const Bar = ({ label, done, of }: { label: string; done: number; of: number }) => (
  <progress className="bar-line" max={Math.max(of, 1)} value={done} aria-label={label} />
);
