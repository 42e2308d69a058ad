import type { MouseEventHandler, ReactNode } from 'react';
import classes from './icon-tool.module.css';

export interface IconToolProps {
  readonly label: string;
  readonly className?: string | undefined;
  /** What it switches is on. */
  readonly isOn?: boolean;
  /** What it opens is open. */
  readonly isExpanded?: boolean | undefined;
  readonly onClick: MouseEventHandler<HTMLButtonElement>;
  readonly children: ReactNode;
}

/**
 * A small button with an icon, for lists that have hundreds of them. It costs a hundredth of what the buttons and tooltips
 * of the component library cost: a message with a hundred fields has eight hundred.
 */
export function IconTool({ label, className = '', isOn, isExpanded, onClick, children }: IconToolProps) {
  return (
    <button
      type="button"
      className={`${classes.tool} ${className}`}
      title={label}
      aria-label={label}
      aria-expanded={isExpanded}
      data-on={isOn}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
