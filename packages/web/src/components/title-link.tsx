import { Link } from '@tanstack/react-router';
import classes from './title-link.module.css';

export interface TitleLinkProps {
  /** "/streams/$id/rules" */
  readonly to: string;
  readonly id: string;
  readonly title: string;
}

/** The title of a row, which leads to the page of what it lists. A long one is cut off after two lines. */
export function TitleLink({ to, id, title }: TitleLinkProps) {
  return (
    <Link to={to} params={{ id }} className={classes.title} title={title}>
      <bdi>{title}</bdi>
    </Link>
  );
}
