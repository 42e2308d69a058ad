import type { ReactNode } from 'react';
import { usePageTitle } from '../lib/page-title.ts';
import { HelpLink } from './help-link.tsx';
import classes from './page.module.css';

export interface PageHeaderProps {
  readonly title: string;
  /** One line below the title: what this page is for. */
  readonly about?: ReactNode;
  /** Buttons at the end of the line. */
  readonly actions?: ReactNode;
}

export function PageHeader({ title, about, actions }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <header className={classes.header}>
      <div className={classes.titles}>
        <div className={classes.titleLine}>
          <h1>{title}</h1>
          <HelpLink />
        </div>
        {about !== undefined && <p className={classes.about}>{about}</p>}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}

/** The frame of a page that is a list or a form. The search page fills its room by itself. */
export function Page({ children }: { readonly children: ReactNode }) {
  return <div className={classes.page}>{children}</div>;
}
