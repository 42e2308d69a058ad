import { differenceOf } from '../dates/difference.ts';
import { defineFunction, optional, required } from '../define.ts';

export const dateDiffFunction = defineFunction({
  name: 'date_diff',
  description:
    'The time from one date to another, as a map: millis, seconds, minutes, hours, days and weeks as rounded integers, direction ("ahead", "behind" or "equal") and friendly, a text.',
  params: [
    required('left', 'DateTime', 'The first date.'),
    required('right', 'DateTime', 'The second date. If it is the earlier one, the numbers are negative.'),
    optional(
      'absolute',
      'Boolean',
      'Whether the numbers are positive all the same; false if it is left out.',
    ),
  ],
  returns: 'Map',
  call: (_, left, right, isAbsolute = false) => differenceOf(left, right, isAbsolute),
});
