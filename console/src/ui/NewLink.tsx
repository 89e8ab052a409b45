/** The way to a record that is to be made; only for who may. */
import { Link } from '@tanstack/react-router';
import { useMay } from '../session';
import { Icon } from './icons';

interface NewLinkProps {
  to: '/applications/new' | '/profiles/new' | '/scopes/new' | '/types/new' | '/roles/new' | '/users/new';
  label: string;
}

export const NewLink = ({ to, label }: NewLinkProps) =>
  useMay('admin:write') ? (
    <Link className="button primary" to={to}>
      <Icon name="plus" size={16} />
      {label}
    </Link>
  ) : null;
