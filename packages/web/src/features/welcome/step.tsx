import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './welcome.module.css';

export interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly state: 'done' | 'current' | 'open' | 'later';
  readonly children: ReactNode;
}

export function Step({ number, title, state, children }: StepProps) {
  return (
    <li className={classes.step} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
      <div className={classes.number} aria-hidden="true">
        {state === 'done' ? <IconCheck size={16} /> : number}
      </div>
      <div className={classes.body}>
        <h2>
          {title}
          {state === 'done' && <span className="visually-hidden">, done</span>}
        </h2>
        {state !== 'later' && children}
      </div>
    </li>
  );
}
