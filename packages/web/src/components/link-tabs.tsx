import { Link } from '@tanstack/react-router';
import classes from './link-tabs.module.css';

export interface LinkTab {
  readonly to: string;
  readonly label: string;
}

/** Pages that belong together, as tabs. Each has an address of its own. */
export function LinkTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly LinkTab[] }) {
  return (
    <nav aria-label={label}>
      <ul className={classes.tabs}>
        {tabs.map(({ to, label: name }) => (
          <li key={to}>
            <Link to={to} className={classes.tab} activeProps={{ 'data-active': true }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
