import { defineFunction, optional } from '../define.ts';
import { streamsOf } from '../stream-arguments.ts';

export const removeFromStreamFunction = defineFunction({
  name: 'remove_from_stream',
  description:
    'Removes the message from a stream. Without its last stream it is in the default stream, until it gets another one.',
  params: [
    optional('id', 'String', 'The id of the stream.'),
    optional('name', 'String', 'The name of the stream; all streams of that name, if there are several.'),
    optional('message', 'Message', 'The message; the current one if it is left out.'),
  ],
  returns: 'Void',
  hasEffect: true,
  call: (context, id, name, message = context.current) => {
    const { batch, environment } = context;
    for (const stream of streamsOf(environment, id, name)) batch.removeStream(message.index, stream);
    context.changed();
  },
});
