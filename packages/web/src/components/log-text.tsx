import { useMemo } from 'react';
import { type MarkRange, type TextSegment, textSegments } from '../lib/log-text/index.ts';
import classes from './log-text.module.css';

export interface LogTextProps {
  readonly text: string;
  readonly marks?: readonly MarkRange[] | undefined;
  readonly isOneLine?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** Text that somebody else wrote: shown as text, whatever is in it, and apart from the direction of what is around it. */
export function LogText({ text, marks, isOneLine, limit }: LogTextProps) {
  const segments = useMemo(
    () => textSegments(text, { marks, isOneLine, limit }),
    [text, marks, isOneLine, limit],
  );
  return (
    <bdi className={classes.text} data-one-line={isOneLine}>
      {segments.map((segment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
        <Segment key={index} segment={segment} />
      ))}
    </bdi>
  );
}

function Segment({ segment }: { readonly segment: TextSegment }) {
  const { text, signFor, isMarked, href, style } = segment;
  if (signFor !== undefined) {
    return (
      <span className={classes.sign} title={signFor}>
        {text}
      </span>
    );
  }
  const content = isMarked ? <mark>{text}</mark> : text;
  if (href !== undefined) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {content}
      </a>
    );
  }
  if (style === undefined) return content;
  return (
    <span
      data-color={style.color}
      data-bold={style.isBold}
      data-underlined={style.isUnderlined}
      className={classes.ansi}
    >
      {content}
    </span>
  );
}
