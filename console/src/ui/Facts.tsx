/** What is known, by its names; for who may not change it, or where it is not changed here. */
import '../theme/record.css';
export const Facts = ({ facts }: { facts: readonly [label: string, value: string | null | undefined][] }) => (
  <dl className="facts">
    {facts.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value || '—'}</dd>
      </div>
    ))}
  </dl>
);
